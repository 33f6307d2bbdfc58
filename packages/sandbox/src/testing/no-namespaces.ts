import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { sandboxProblem } from '../index.ts'

/** Sends why no program can be run in a user namespace that allows none below itself. */
const self = fileURLToPath(import.meta.url)
const closing = 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"'
const user = ['--user', '--map-user=1000', '--map-group=1000', '--keep-caps', '--']

if (process.argv.includes('inside')) console.log(await sandboxProblem())
else {
  const args = [...user, '/bin/sh', '-c', closing, 'sh', process.execPath, self, 'inside']
  process.send?.({ problem: execFileSync('unshare', args, { encoding: 'utf8' }) }, () => process.disconnect())
}
