// A library with many dependencies takes longer to bind than a short file takes to convert. Such a library is
// loaded when it is first needed, and its functions are looked up once. This is not a target: the sources of the
// loaders include it.
#pragma once

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// A pointer to a function of the library, with the type that the headers declare.
#define POINTER(name) static __typeof__(name) *p_##name;

#define LOOK_UP(name)                                                                                \
  p_##name = (__typeof__(p_##name))dlsym(library, #name);                                            \
  if (!p_##name) snprintf(failure, sizeof failure, "%s has no " #name, file);

// Pointers to all `functions`, a list of X(name), in the library `path`, and `failed`, a function that looks them
// up when it is first called and returns the reason of a failure, or 0. The search includes the library's own
// dependencies.
#define LIBRARY(path, functions, failed)                                                             \
  functions(POINTER)                                                                                 \
  static pthread_once_t once = PTHREAD_ONCE_INIT;                                                    \
  static char failure[512];                                                                          \
                                                                                                     \
  static void load(void) {                                                                           \
    const char *file = path;                                                                         \
    void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);                                            \
    if (!library) {                                                                                  \
      snprintf(failure, sizeof failure, "%s", dlerror());                                            \
      return;                                                                                        \
    }                                                                                                \
    functions(LOOK_UP)                                                                               \
  }                                                                                                  \
                                                                                                     \
  const char *failed(void) {                                                                         \
    pthread_once(&once, load);                                                                       \
    return failure[0] ? failure : 0;                                                                 \
  }

// Between these two, functions stay inside the program or shared library that they are linked into.
#define BEGIN_FORWARDING _Pragma("GCC visibility push(hidden)")
#define END_FORWARDING _Pragma("GCC visibility pop")

// Functions that call the library's functions of the same name.
#define F0(type, name) type name(void) { return p_##name(); }
#define F1(type, name, A) type name(A a) { return p_##name(a); }
#define F2(type, name, A, B) type name(A a, B b) { return p_##name(a, b); }
#define F3(type, name, A, B, C) type name(A a, B b, C c) { return p_##name(a, b, c); }
#define F4(type, name, A, B, C, D) type name(A a, B b, C c, D d) { return p_##name(a, b, c, d); }
#define F5(type, name, A, B, C, D, E)                                                                \
  type name(A a, B b, C c, D d, E e) { return p_##name(a, b, c, d, e); }
#define F6(type, name, A, B, C, D, E, F)                                                             \
  type name(A a, B b, C c, D d, E e, F f) { return p_##name(a, b, c, d, e, f); }
