import { spawnSync } from 'node:child_process'
import { plainEnv } from '../command.ts'
import { inNamespaces } from '../rootless.ts'

/** Takes 2 GiB of memory unwatched, and sends how many MiB it got. */
const takes = '$| = 1; my @kept; for (1 .. 256) { push @kept, "x" x (8 << 20); print 8 * $_, "\\n" } print "done\\n"'
const runsc = ['runsc', '--rootless', '--root=/tmp/runsc', '--network=none', '--ignore-cgroups', 'do']
const bounds = { memoryBytes: 256 * 2 ** 20, processes: 1 }
const [name = '', ...args] = inNamespaces([...runsc, '/usr/bin/perl', '-e', takes], '/tmp', bounds)
// The namespaces mount over /tmp, where the checkout may be: runsc prints nothing if its working directory is gone.
const { stdout, stderr, status, signal } = spawnSync(name, args, { encoding: 'utf8', cwd: '/', env: plainEnv })
const lines = stdout.trim().split('\n')
const printed = Math.max(...lines.map((line) => Number(line) || 0))
const why = `status ${status}, signal ${signal}: ${stderr.slice(-2_000)}`
process.send?.({ printed, isDone: lines.includes('done'), why }, () => process.disconnect())
