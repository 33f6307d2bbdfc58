import { readFileSync } from 'node:fs'
import { release } from 'node:os'
import type { Attempt } from './attempt.ts'
import type { TestHost } from './test-host.ts'

const isVictimTouched = ({ victim }: TestHost) => {
  const status = readFileSync(`/proc/${victim}/status`, 'utf8')
  return !/^State:\s+S/m.test(status) || !/^TracerPid:\s+0$/m.test(status)
}

/** Processes of the host, privileges, and the kernel itself. */
export const onProcesses: readonly Attempt[] = [
  {
    name: "read the node's environment",
    tries: ({
      canary,
    }) => `for my $file (glob('/proc/[0-9]*/environ')) { reached($file) if slurp($file) =~ /${canary}/ }
      reached('own') if grep { /${canary}/ } values %ENV;`,
  },
  {
    name: "see the host's processes",
    tries: ({ victim }) => `reached('sleep') if slurp("/proc/${victim}/cmdline") =~ /infinity/;
      reached('sleep') if grep { slurp($_) =~ /^(sleep|node)/ } glob('/proc/[0-9]*/comm');`,
  },
  {
    name: "send signals to the host's processes",
    tries: ({ victim }) =>
      `local $SIG{TERM} = 'IGNORE'; kill('TERM', ${victim}); kill('TERM', -${victim}); kill('TERM', -1);`,
    reached: isVictimTouched,
    isolated: true,
  },
  {
    name: "trace the host's processes",
    tries: ({ victim }) =>
      `call('ptrace', 0x4206, $_ + 0, 0, 0), call('ptrace', 16, $_ + 0, 0, 0) for ${victim}, getppid();`,
    reached: isVictimTouched,
  },
  {
    name: 'become root',
    tries: () => `POSIX::setuid(0); POSIX::setgid(0); $> = 0; $< = 0; reached("$< $>") if $< == 0 || $> == 0;`,
  },
  {
    name: 'become root through a setuid program',
    tries: () =>
      `reached('setuid') if (\`/offered/becomes-root -u\` || '') =~ /^0$/m; print \`/offered/becomes-root\`;`,
  },
  {
    name: 'use capabilities',
    tries: () => `reached($1) if slurp('/proc/self/status') =~ /^(Cap(?:Prm|Eff|Bnd):\\s+0*[1-9a-f]\\S*)/m;`,
  },
  {
    name: "enter the host's namespaces",
    tries: ({ victim }) => `for my $pid (1, getppid(), ${victim}) { for my $file (glob("/proc/$pid/ns/*")) {
        open(my $f, '<', $file) or next; call('setns', fileno($f), 0) } }
      reached('victim') if slurp("/proc/${victim}/cmdline") =~ /infinity/;`,
  },
  {
    name: 'reboot or load a kernel module',
    // With a wrong magic number, a kernel that would have allowed it says EINVAL.
    tries: () => `call('reboot', 1, 2, 3, 0); reached('reboot') if $!{EINVAL};
      call('init_module', 0, 0, ''); reached('module') unless $!{EPERM} || $!{ENOSYS};`,
  },
  {
    name: 'read the kernel log',
    tries: () => `my $text = ' ' x 65536; my $got = syscall($nr{syslog} + 0, 3, $text, 65536);
      reached('log') if $got > 0 && $text !~ /gVisor/;`,
  },
  {
    name: 'use system calls with a history of exploits',
    // gVisor has an io_uring of its own, which leads no further than to itself.
    tries: () => `my $params = "\\0" x 256; my $isHosts = (POSIX::uname())[2] eq '${release()}';
      reached('io_uring') if $isHosts && call('io_uring_setup', 4, $params) >= 0;
      reached('userfaultfd') if call('userfaultfd', 1) >= 0;
      my $map = pack('L5', 2, 4, 4, 1, 0) . "\\0" x 108; reached('bpf') if call('bpf', 0, $map, 128) >= 0;
      my $event = pack('LL', 1, 112) . "\\0" x 104; reached('perf') if call('perf_event_open', $event, 0, -1, -1, 0) >= 0;`,
  },
  {
    name: "be root in a user namespace of the host's kernel",
    // In gVisor's own kernel it may.
    tries: () => `my $isHosts = (POSIX::uname())[2] eq '${release()}';
      my $arguments = pack('Q8', 0x10000000, 0, 0, 0, 17, 0, 0, 0);
      for my $pid (call('clone', 0x10000000 | 17, 0, 0, 0, 0), call('clone3', $arguments, 64)) {
        POSIX::_exit(0) if $pid == 0; reached('namespace') if $isHosts && $pid > 0 }
      reached('namespace') if $isHosts && call('unshare', 0x10000000) == 0;`,
  },
  {
    name: "make system calls to the host's kernel",
    tries: () => `reached('kernel') if (POSIX::uname())[2] eq '${release()}';`,
  },
  {
    name: "read the host's shared memory",
    tries: ({ sharedMemory }) => `reached('memory') if defined shmget(${sharedMemory}, 64, 0);`,
  },
]
