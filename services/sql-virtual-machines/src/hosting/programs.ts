import { access, constants, readdir } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { ProgramFailed, runProgram } from '@icosa/compute'
import { accountNamed, commandAs, programPath } from '@icosa/module'

/** The programs of machines, and the account that runs them. */
export interface Programs {
  /** The folder of `postgres` and its other programs. */
  readonly binaries: string
  /** `pg_autoctl`; undefined: machines can run, but not groups. */
  readonly keeper: string | undefined
  /** Undefined: the node's own. */
  readonly account: Account | undefined
}

export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

const canAccess = (file: string, mode = constants.X_OK) =>
  access(file, mode).then(
    () => true,
    () => false,
  )

const debian = '/usr/lib/postgresql'

export interface ProgramSettings {
  readonly binaries?: string | undefined
  readonly account: string
}

/** Throws with a remedy if one is missing. */
export async function findPrograms({ binaries: configured, account: name }: ProgramSettings): Promise<Programs> {
  const binaries = configured ?? (await newestOfDebian())
  if (binaries === undefined)
    throw new Error(
      'PostgreSQL is not installed: run `sudo apt install postgresql-15`, or set ICOSA_MACHINES_BINARIES.',
    )
  for (const program of ['postgres', 'initdb'])
    if (!(await canAccess(join(binaries, program))))
      throw new Error(
        `${join(binaries, program)} is missing: install PostgreSQL, or set ICOSA_MACHINES_BINARIES to its folder.`,
      )
  const account = process.getuid?.() === 0 ? await accountOf(name) : undefined
  if (account && !(await programPath('setpriv')))
    throw new Error(
      'setpriv is missing, which a node that runs as root needs to switch users: run `sudo apt install util-linux`.',
    )
  return { binaries, keeper: (await hasExtension(binaries)) ? await programPath('pg_autoctl') : undefined, account }
}

export const noKeeper =
  'pg_auto_failover is missing on the node: run `sudo apt install pg-auto-failover-cli postgresql-15-auto-failover` there.'

/** The newest version with pg_auto_failover, or else the newest. */
async function newestOfDebian(): Promise<string | undefined> {
  const versions = (await readdir(debian).catch(() => [])).toSorted((a, b) => Number(b) - Number(a))
  const folders: string[] = []
  for (const version of versions) {
    const folder = join(debian, version, 'bin')
    if (await canAccess(join(folder, 'postgres'))) folders.push(folder)
  }
  for (const folder of folders) if (await hasExtension(folder)) return folder
  return folders[0]
}

const hasExtension = (binaries: string) =>
  canAccess(join(dirname(binaries), 'lib', 'pgautofailover.so'), constants.R_OK)

async function accountOf(name: string): Promise<Account> {
  const account = await accountNamed(name)
  if (!account)
    throw new Error(`The user account '${name}' for machines does not exist: create it, or set ICOSA_MACHINES_USER.`)
  return { name, ...account }
}

/** A command line that runs as the machines' account. */
export function commandFor({ account }: Programs, program: string, args: readonly string[]): [string, string[]] {
  const [name, ...rest] = commandAs(account, program, args)
  return [name, rest]
}

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** Its working directory, by which processes of an instance are identified. */
  readonly folder?: string
}

/** Enough to copy a large machine; jobs have deadlines of their own. */
const deadlineMs = 6 * 3_600_000

export async function runAs(
  programs: Programs,
  program: string,
  args: readonly string[],
  { env, signal, folder = '/' }: CommandOptions = {},
): Promise<string> {
  const [name, rest] = commandFor(programs, 'env', ['-C', folder, program, ...args])
  try {
    const output = await runProgram(name, rest, { env: { ...environment(programs), ...env }, signal, deadlineMs })
    return output.toString()
  } catch (error) {
    if (error instanceof ProgramFailed)
      throw new Error(error.message.replace(/^setpriv failed: /, ''), { cause: error })
    throw error
  }
}

/**
 * Folder of the sockets by which the node connects as superuser. The same on all nodes, since a machine that copies another one
 * copies this setting.
 */
export const socketFolder = ({ account }: Programs) => `/tmp/icosa-machines-${account?.name ?? userInfo().username}`

/** Excludes the node's own environment, which contains its keys. */
export const environment = ({ binaries }: Programs): Record<string, string> => ({
  PATH: `${binaries}:/usr/bin:/bin`,
  LC_ALL: 'C.UTF-8',
  TZ: 'UTC',
})
