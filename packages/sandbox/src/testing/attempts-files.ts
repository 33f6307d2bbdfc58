import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Attempt } from './attempt.ts'
import type { TestHost } from './test-host.ts'

const isAltered = ({ offered }: TestHost) => readFileSync(`${offered}/readable`, 'utf8') !== 'as it was'
const settings = ['/proc/sys/kernel/core_pattern', '/proc/sys/vm/overcommit_memory']
const settingsNow = () => settings.map((file) => readFileSync(file, 'utf8')).join()
const settingsBefore = settingsNow()
const nameBefore = hostname()

/** Files, devices and settings of the host. */
export const onFiles: readonly Attempt[] = [
  {
    name: 'read a host file',
    tries: ({ secret }) =>
      `reached($_) for grep { slurp($_) ne '' } '${secret}', '/..${secret}', '/tmp/../..${secret}';`,
  },
  {
    name: "read the host's passwords",
    tries: () => `reached($_) for grep { slurp($_) ne '' } '/etc/shadow', '/etc/passwd', '/root/.bash_history';`,
  },
  {
    name: 'write to a read-only bind',
    tries: () => `scribble('/offered/readable'); chmod 0777, '/offered'; unlink '/offered/readable';
      reached('new') if scribble('/offered/new') || scribble('/usr/new') || scribble('/new');`,
    reached: isAltered,
  },
  {
    name: 'remount a read-only bind writable',
    tries: () =>
      `for my $flags (4096|32, 32) { call('mount', 0, '/offered', 0, $flags, 0); scribble('/offered/readable') }`,
    reached: isAltered,
  },
  {
    name: 'mount as root of a new user namespace',
    tries: ({ secret }) => `call('unshare', 0x10000000 | 0x20000); mkdir '/tmp/m';
      call('mount', '/offered', '/tmp/m', 0, 4096, 0); call('mount', 0, '/tmp/m', 0, 4096|32, 0); scribble('/tmp/m/readable');
      for my $disk ('/dev/vda', '/dev/sda', '/dev/nvme0n1') { call('mount', $disk, '/tmp/m', 'ext4', 1, 0) }
      reached('secret') if slurp('/tmp/m${secret}') ne '';`,
    reached: isAltered,
  },
  {
    name: 'follow a symlink out of a bind',
    tries: () => `reached('secret') if slurp('/offered/way-out') ne '';`,
  },
  {
    name: 'follow its own symlink through /proc',
    tries: ({ secret }) => `for my $pid (1 .. 50, 'self', getppid()) { for my $way ('root', 'cwd') {
        unlink '/tmp/way'; symlink "/proc/$pid/$way", '/tmp/way';
        reached("$pid $way") if slurp("/tmp/way${secret}") ne '' || slurp("/proc/$pid/$way/../../../..${secret}") ne '' } }`,
  },
  {
    name: 'escape through a leaked file descriptor',
    tries: ({ secret }) => `for my $fd (0 .. 255) { for my $up ('', '/..', '/../..', '/../../../../../..') {
        reached("$fd") if slurp("/proc/self/fd/$fd$up${secret}") ne '' } }`,
  },
  {
    name: 'escape by chroot',
    tries: ({ secret }) => `mkdir '/tmp/c'; call('chroot', '/tmp/c'); chdir '..' for 1 .. 20; call('chroot', '.');
      reached('secret') if slurp('${secret}') ne '';`,
  },
  {
    name: 'change kernel settings',
    tries: () => `scribble($_) for ${settings.map((file) => `'${file}'`).join()}, '/sys/kernel/uevent_helper';
      reached('sysrq') if open(my $f, '>', '/proc/sysrq-trigger');`,
    reached: () => settingsNow() !== settingsBefore,
  },
  {
    name: 'read kernel memory',
    tries: () => `for my $file ('/dev/mem', '/dev/kmem', '/dev/port', '/proc/kcore') {
        open(my $f, '<', $file) or next; reached($file) if (sysread($f, my $bytes, 4096) // 0) > 0 }
      reached('addresses') if slurp('/proc/kallsyms') =~ /^(?!0{8})[0-9a-f]{8}/m;`,
  },
  {
    name: 'create a device node',
    tries: () => `for my $major (8, 253, 254, 259) { my $path = "/tmp/disk$major";
        call('mknodat', -100, $path, 060666, $major << 8); reached($path) if open(my $f, '<', $path) }`,
  },
  {
    name: 'open host devices',
    tries: () => `reached($_) for grep { open(my $f, '<', $_) } '/dev/vda', '/dev/sda', '/dev/nvme0n1', '/dev/kvm',
      '/dev/kmsg', '/dev/loop-control', '/dev/vsock', '/dev/snapshot', '/dev/userfaultfd', glob('/dev/ttyS* /dev/input/*');`,
  },
  {
    name: 'escape through cgroups',
    tries: () => `for my $at (glob('/sys/fs/cgroup /sys/fs/cgroup/*')) {
        reached($at) if scribble("$at/release_agent") || mkdir("$at/mine") || open(my $f, '>', "$at/cgroup.procs") }`,
  },
  {
    name: "change the host's name and time",
    tries: () =>
      `call('sethostname', 'taken', 5); reached('time') if call('settimeofday', pack('qq', 86400, 0), 0) == 0;`,
    reached: () => hostname() !== nameBefore,
  },
]
