import { type Attempt, limits } from './attempt.ts'

/** Exceeding limits. */
export const onLimits: readonly Attempt[] = [
  {
    name: 'run a fork bomb',
    tries: () => `my $count = 0; while ($count < 2000) { my $pid = fork(); last unless defined $pid;
        if ($pid == 0) { sleep 1000 while 1 } $count++ } print "forked $count\\n"; reached($count) if $count > ${limits.processes} + 16;`,
    // gVisor's kernel itself may be unable to start another one.
    ended: ['exit', 'memory'],
  },
  {
    name: 'exhaust memory',
    tries: () => `my @kept; push @kept, 'x' x (8 << 20) for 1 .. 100; reached('800 MB');`,
    ended: ['exit', 'memory'],
  },
  {
    name: 'exhaust memory with a file',
    tries: () => `my $fd = call('memfd_create', 'm', 0); open(my $f, '>&=', $fd) or die $!;
      for (1 .. 100) { (syswrite($f, 'x' x (8 << 20)) // 0) == 8 << 20 or die "no more: $!\\n" } reached('800 MB');`,
    ended: ['exit', 'memory'],
  },
  {
    name: 'fill the disk',
    tries: () => `my $sum = 0; for my $at ('/tmp', '/dev', '/dev/shm', '/run', '/var/tmp', '/') {
        open(my $f, '>', "$at/full") or next; while (my $some = syswrite($f, 'x' x 65536)) { $sum += $some; last if $sum > 1 << 30 } }
      reached($sum) if $sum > ${limits.diskBytes + limits.memoryBytes};`,
    ended: ['exit', 'memory'],
  },
  {
    name: 'fill the disk through the socket folder',
    listens: true,
    tries: () => `my $sum = 0; for my $n (1 .. 200) { open(my $f, '>', "/sockets/$n") or last;
        $sum += syswrite($f, 'x' x 65536) // 0 } reached($sum) if $sum > 1 << 20;`,
  },
  {
    name: 'print without limit',
    tries: () => `print 'x' x 65536 while 1;`,
    ended: ['output'],
    reached: (_, { stdout }) => stdout.length > limits.outputBytes,
  },
]
