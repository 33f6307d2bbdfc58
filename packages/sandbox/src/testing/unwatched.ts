import { spawnSync } from 'node:child_process'
import { inNamespaces } from '../rootless.ts'

/** Takes 2 GiB of memory unwatched, and sends how many MiB it got. */
const takes = '$| = 1; my @kept; for (1 .. 256) { push @kept, "x" x (8 << 20); print 8 * $_, "\\n" } print "done\\n"'
const runsc = ['runsc', '--rootless', '--root=/tmp/runsc', '--network=none', '--ignore-cgroups', 'do']
const bounds = { memoryBytes: 256 * 2 ** 20, processes: 1 }
const [name = '', ...args] = inNamespaces([...runsc, '/usr/bin/perl', '-e', takes], '/tmp', bounds)
const lines = spawnSync(name, args, { encoding: 'utf8' }).stdout.trim().split('\n')
const printed = Math.max(...lines.map((line) => Number(line) || 0))
process.send?.({ printed, isDone: lines.includes('done') }, () => process.disconnect())
