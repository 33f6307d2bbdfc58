import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** A user of the machine. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** The first of these users that the machine has. */
export async function accountNamed(...names: readonly string[]): Promise<Account | undefined> {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const name of names) {
    const [, , uid, gid] = accounts.find(([own]) => own === name) ?? []
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  return undefined
}

/** A command line as this account; without one, as whoever the node is. */
export function commandAs(
  account: Account | undefined,
  program: string,
  args: readonly string[],
): [string, ...string[]] {
  if (!account) return [program, ...args]
  return ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups', '--', program, ...args]
}

/** Whether there is such a process, of whomever. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** When a process began, in the words of the system: of two processes with one id, it differs. Undefined if it cannot be told. */
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

/** Whether the process that began at `start` is alive, and not another that got its id later. */
export const isStillAlive = (pid: number, start: string | undefined) =>
  isAlive(pid) && (start === undefined || processStart(pid) === start)
