"""The Python environment in .build/python, which scripts/setup --test creates.

Importing this module restarts the script with that environment's interpreter. Programs that the script
starts find it too, have a UTF-8 locale, and read no configuration file.
"""
import os, sys

SCRIPTS = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(os.path.dirname(SCRIPTS), ".build", "python")
PROGRAMS = os.path.join(FOLDER, "bin")


def is_current():
    """Whether the environment was installed from scripts/requirements.txt as it is now."""
    try:
        with open(os.path.join(SCRIPTS, "requirements.txt")) as wanted:
            with open(os.path.join(FOLDER, "requirements.txt")) as installed:
                return wanted.read() == installed.read()
    except FileNotFoundError:
        return False


if not is_current():
    sys.exit(f"{sys.argv[0]}: the Python environment is missing or out of date; run scripts/setup --test")
if os.path.realpath(sys.prefix) != os.path.realpath(FOLDER):
    python = os.path.join(PROGRAMS, "python3")
    os.execv(python, [python, *sys.argv])
os.environ["PATH"] = PROGRAMS + os.pathsep + os.environ["PATH"]
os.environ["LC_ALL"] = "C.UTF-8"
# Nobody's own defaults.
os.environ["SCALEAUDIO_CONFIG"] = ""
