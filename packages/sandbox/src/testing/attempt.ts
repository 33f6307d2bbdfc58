import type { Ended, Program, Result } from '../program.ts'
import { systemBinds } from '../program.ts'
import type { Sandbox } from '../sandbox.ts'
import type { TestHost } from './test-host.ts'

/** A hostile program's attempt, in Perl. It calls `reached(what)` on success. */
export interface Attempt {
  readonly name: string
  tries(host: TestHost): string
  /** The limits that end it, if it does not end by itself. */
  readonly ended?: readonly Ended[]
  /** Checks on the host whether the attempt succeeded. */
  reached?(host: TestHost, result: Result): boolean
  /** Whether it needs a folder for sockets. */
  readonly listens?: boolean
  /** Whether it affects other processes of its program, or what another attempt is judged by. */
  readonly isolated?: boolean
}

export const limits = {
  memoryBytes: 192 * 2 ** 20,
  processes: 32,
  diskBytes: 16 * 2 ** 20,
  outputBytes: 2 ** 20,
  wallMs: 60_000,
}

const numbers = {
  x64: {
    ...{
      add_key: 248,
      bpf: 321,
      chroot: 161,
      clone: 56,
      clone3: 435,
      init_module: 175,
      io_uring_setup: 425,
      keyctl: 250,
      memfd_create: 319,
    },
    ...{ mknodat: 259, mount: 165, perf_event_open: 298, ptrace: 101, reboot: 169, sethostname: 170, setns: 308 },
    ...{ settimeofday: 164, syslog: 103, unshare: 272, userfaultfd: 323 },
  },
  arm64: {
    ...{
      add_key: 217,
      bpf: 280,
      chroot: 51,
      clone: 220,
      clone3: 435,
      init_module: 105,
      io_uring_setup: 425,
      keyctl: 219,
      memfd_create: 279,
    },
    ...{ mknodat: 33, mount: 40, perf_event_open: 241, ptrace: 117, reboot: 142, sethostname: 161, setns: 268 },
    ...{ settimeofday: 170, syslog: 116, unshare: 97, userfaultfd: 282 },
  },
}

const numbersHere = () =>
  Object.entries(numbers[process.arch as 'x64'])
    .flat()
    .join(' ')

/** `call` makes a system call by name. The end is reported as well: an attempt that failed to start proves nothing. */
const prelude = () => `
  use strict; use Socket; use Errno; use POSIX (); $| = 1;
  my %nr = qw(${numbersHere()});
  sub call { my ($name, @args) = @_; return syscall($nr{$name} + 0, @args) }
  sub reached { print "REACHED @_\\n" }
  sub slurp { open(my $f, '<', $_[0]) or return ''; local $/; return scalar(<$f>) // '' }
  sub scribble { open(my $f, '>', $_[0]) or return 0; print $f 'scribbled' or return 0; return close($f) }
`

export const program = (attempt: Pick<Attempt, 'tries' | 'listens'>, host: TestHost): Program => ({
  argv: ['/usr/bin/perl', '-e', `${prelude()} { ${attempt.tries(host)} } print "TRIED\\n";`],
  env: { PATH: '/usr/bin:/bin' },
  binds: [...systemBinds(), { from: host.offered, to: '/offered' }],
  listens: attempt.listens ?? false,
  limits,
})

/** Whether an attempt may share a program with others; starting one for each takes most of the time. */
export const isShareable = ({ ended, listens, isolated }: Attempt) => !ended && !listens && !isolated

/** Makes attempts in child processes of one program; returns their outcomes by name. */
export async function outcomesTogether(attempts: readonly Attempt[], host: TestHost, sandbox: Pick<Sandbox, 'run'>) {
  const inChild = (attempt: Attempt) =>
    `print "ATTEMPT\n"; { my $child = fork(); unless ($child) { { ${attempt.tries(host)} } print "TRIED\n"; POSIX::_exit(0) }
      waitpid($child, 0) }`
  const result = await sandbox.run(program({ tries: () => attempts.map(inChild).join('\n') }, host))
  const texts = result.stdout.toString('latin1').split('ATTEMPT\n').slice(1)
  return Object.fromEntries(
    attempts.map((attempt, index) => {
      const stdout = Buffer.from(texts[index] ?? '', 'latin1')
      return [attempt.name, outcome(attempt, host, { ...result, stdout })]
    }),
  )
}

/** Throws if nothing was proven. */
export function outcome({ ended = ['exit'], reached }: Attempt, host: TestHost, result: Result) {
  const text = result.stdout.toString('latin1')
  const isReported = result.ended !== 'exit' || text.includes('TRIED')
  if (!ended.includes(result.ended) || !isReported)
    throw new Error(
      `It showed nothing: ${result.ended} ${result.code}, ${text.slice(-500)}${result.stderr.toString('latin1').slice(-500)}`,
    )
  return text.includes('REACHED') || reached?.(host, result) ? 'not stopped' : 'stopped'
}
