import type { Apis } from '../call.ts'
import { fileCalls } from './files.ts'
import { memoryCalls } from './memory.ts'
import { processCalls } from './process.ts'
import { timeCalls } from './time.ts'

/** Creates a table without a prototype, since a program may use any name. */
const bare = <T>(...tables: readonly Readonly<Record<string, T>>[]): Readonly<Record<string, T>> =>
  Object.assign(Object.create(null), ...tables)

/** Emulated system calls; all others return ENOSYS. */
export const systemCalls: Apis = bare(fileCalls, memoryCalls, processCalls, timeCalls)

const counts: Readonly<Record<string, readonly string[]>> = {
  0: ['fork', 'getpid', 'getppid', 'getuid', 'geteuid', 'getgid', 'getegid', 'gettid', 'setsid', 'pause', 'abort'],
  1: [
    ...['close', 'exit', 'exit_group', 'brk', 'uname', 'unlink', 'rmdir', 'chdir', 'dup', 'time', 'umask', 'sleep'],
    ...['puts', 'strlen', 'malloc', 'free', 'atoi', 'system', 'getenv', 'usleep', 'set_tid_address', 'printf'],
  ],
  2: [
    ...['munmap', 'arch_prctl', 'fstat', 'stat', 'lstat', 'access', 'mkdir', 'chmod', 'kill', 'dup2', 'memfd_create'],
    ...['strcpy', 'strcat', 'strcmp', 'strstr', 'strchr', 'calloc', 'realloc', 'fopen', 'dlopen', 'dlsym', 'ftruncate'],
    ...['clock_gettime', 'gettimeofday', 'nanosleep', 'set_robust_list'],
  ],
  4: ['openat', 'pread64', 'pwrite64', 'newfstatat', 'readlinkat', 'rt_sigaction', 'prlimit64', 'ptrace'],
  5: ['execveat', 'prctl', 'clone'],
  6: ['mmap', 'sendto', 'recvfrom'],
}
const countOf = bare(
  Object.fromEntries(Object.entries(counts).flatMap(([count, all]) => all.map((name) => [name, Number(count)]))),
)

/** Number of arguments in the report. */
export const argumentCount = (name: string) => countOf[name] ?? 3

/** Arguments that are texts without a NUL, and those with their lengths. */
export const sizedArgument: Readonly<Record<string, readonly [text: number, size: number]>> = bare({
  write: [1, 2] as const,
  pwrite64: [1, 2] as const,
  send: [1, 2] as const,
  sendto: [1, 2] as const,
})
