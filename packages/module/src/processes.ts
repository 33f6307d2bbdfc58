import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** A user of the machine. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** Returns the first of these users that exists. */
export async function accountNamed(...names: readonly string[]): Promise<Account | undefined> {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const name of names) {
    const [, , uid, gid] = accounts.find(([user]) => user === name) ?? []
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  return undefined
}

/** A command line run as this account; without one, as the node's user. */
export function commandAs(
  account: Account | undefined,
  program: string,
  args: readonly string[],
): [string, ...string[]] {
  if (!account) return [program, ...args]
  return ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups', '--', program, ...args]
}

/** Whether the process exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Start time of a process in the system's format, which distinguishes reused PIDs. Undefined if unknown. */
export function processStart(pid: number): string | undefined {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19]
    if (process.platform === 'win32') return undefined
    return execFileSync('ps', ['-p', String(pid), '-o', 'lstart='])
      .toString()
      .trim()
  } catch {
    return undefined
  }
}

/** Whether the process started at `start` is alive, rather than another one with its PID. */
export const isStillAlive = (pid: number, start: string | undefined) =>
  isAlive(pid) && (start === undefined || processStart(pid) === start)
