// Preloaded into a program, waits for requests once the program's libraries are loaded, and runs its main for each in
// a child (see ReadyProgram.swift).
//
// Standard input is a listening socket. A request is the number of bytes that follow, as a 32-bit integer, then
// strings that end in NUL: the working directory, the files for standard input, output and errors, and the words of
// the command. The answer is the child's status as waitpid reports it, a 32-bit integer.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int (*Main)(int, char **, char **);
static Main program;

static int read_all(int file, void *bytes, size_t count) {
  for (char *next = bytes; count > 0;) {
    ssize_t got = read(file, next, count);
    if (got <= 0) return 0;
    next += got;
    count -= (size_t)got;
  }
  return 1;
}

static void redirect(int file, const char *path, int flags) {
  int opened = open(path, flags);
  if (opened < 0 || dup2(opened, file) < 0) _exit(126);
  if (opened != file) close(opened);
}

static void run(char *text, size_t size) {
  char *words[4096];
  int count = 0;
  for (char *word = text; word < text + size; word += strlen(word) + 1) {
    if (count == 4095) _exit(126);
    words[count++] = word;
  }
  words[count] = NULL;
  if (count < 5 || chdir(words[0]) != 0) _exit(126);
  redirect(0, words[1], O_RDONLY);
  redirect(1, words[2], O_WRONLY);
  redirect(2, words[3], O_WRONLY);
  exit(program(count - 4, words + 4, environ));
}

static void answer(int connection) {
  uint32_t size;
  if (!read_all(connection, &size, sizeof size)) return;
  char *text = calloc(1, (size_t)size + 1);
  if (text == NULL || !read_all(connection, text, size)) return;
  signal(SIGCHLD, SIG_DFL);
  pid_t child = fork();
  if (child == 0) {
    close(connection);
    run(text, size);
  }
  int32_t status;
  if (child > 0 && waitpid(child, &status, 0) == child) (void)!write(connection, &status, sizeof status);
}

static int serve(int argc, char **argv, char **variables) {
  unsetenv("LD_PRELOAD");
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGCHLD, SIG_IGN);
  pid_t tests = getppid();
  // It ends with the tests that started it.
  while (getppid() == tests) {
    struct pollfd request = {0, POLLIN, 0};
    if (poll(&request, 1, 500) != 1) continue;
    int connection = accept(0, NULL, NULL);
    if (connection < 0) continue;
    if (fork() == 0) {
      answer(connection);
      _exit(0);
    }
    close(connection);
  }
  return 0;
}

int __libc_start_main(Main start, int argc, char **argv, void (*init)(void), void (*end)(void),
                      void (*linker_end)(void), void *stack) {
  program = start;
  int (*original)(Main, int, char **, void (*)(void), void (*)(void), void (*)(void), void *) =
      (__typeof__(original))dlsym(RTLD_NEXT, "__libc_start_main");
  return original(serve, argc, argv, init, end, linker_end, stack);
}
