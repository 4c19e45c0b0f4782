"""Lets lhotse be imported without PyTorch, which is large, and which reading manifests does not use."""
import importlib.abc
import importlib.machinery
import sys
import types


class AnyClass(type):
    """A class whose every attribute is another such class."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return AnyClass(name, (Anything,), {})


class Anything(metaclass=AnyClass):
    def __init__(self, *arguments, **options):
        pass

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()

    def __call__(self, *arguments, **options):
        # As a decorator, it changes nothing.
        return arguments[0] if arguments else self


class AnyModule(types.ModuleType):
    __version__ = "0"

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return AnyClass(name, (Anything,), {})


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "torch":
            return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return AnyModule(spec.name)

    def exec_module(self, module):
        pass


sys.meta_path.insert(0, Finder())
