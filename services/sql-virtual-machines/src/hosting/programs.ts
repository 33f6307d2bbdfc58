import { access, constants, readdir } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { ProgramFailed, runProgram } from '@icosa/compute'
import { accountNamed, commandAs, programPath } from '@icosa/module'

/** The programs of a machine, and as whom they run. */
export interface Programs {
  /** Where `postgres` and its companions are. */
  readonly binaries: string
  /** `pg_autoctl`; undefined: machines run, but not in groups. */
  readonly keeper: string | undefined
  /** Undefined: as whoever the node is. */
  readonly account: Account | undefined
}

export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

const isThere = (file: string, mode = constants.X_OK) =>
  access(file, mode).then(
    () => true,
    () => false,
  )

const debian = '/usr/lib/postgresql'

export interface ProgramSettings {
  readonly binaries?: string | undefined
  readonly account: string
}

/** Throws what is missing, in words that say what to do about it. */
export async function findPrograms({ binaries: given, account: name }: ProgramSettings): Promise<Programs> {
  const binaries = given ?? (await newestOfDebian())
  if (binaries === undefined)
    throw new Error(
      'There is no PostgreSQL here: run `sudo apt install postgresql-15`, or set ICOSA_MACHINES_BINARIES.',
    )
  for (const program of ['postgres', 'initdb'])
    if (!(await isThere(join(binaries, program))))
      throw new Error(
        `${join(binaries, program)} is missing: install PostgreSQL, or set ICOSA_MACHINES_BINARIES to where it is.`,
      )
  const account = process.getuid?.() === 0 ? await accountOf(name) : undefined
  if (account && !(await programPath('setpriv')))
    throw new Error(
      'setpriv is missing, with which a node that runs as root becomes another user: run `sudo apt install util-linux`.',
    )
  return { binaries, keeper: (await hasExtension(binaries)) ? await programPath('pg_autoctl') : undefined, account }
}

export const noKeeper =
  'pg_auto_failover is missing on the node: run `sudo apt install pg-auto-failover-cli postgresql-15-auto-failover` there.'

/** The newest for which pg_auto_failover is there, or else the newest. */
async function newestOfDebian(): Promise<string | undefined> {
  const versions = (await readdir(debian).catch(() => [])).toSorted((a, b) => Number(b) - Number(a))
  const folders: string[] = []
  for (const version of versions) {
    const folder = join(debian, version, 'bin')
    if (await isThere(join(folder, 'postgres'))) folders.push(folder)
  }
  for (const folder of folders) if (await hasExtension(folder)) return folder
  return folders[0]
}

const hasExtension = (binaries: string) => isThere(join(dirname(binaries), 'lib', 'pgautofailover.so'), constants.R_OK)

async function accountOf(name: string): Promise<Account> {
  const account = await accountNamed(name)
  if (!account)
    throw new Error(`There is no user account '${name}', as which machines run: make one, or set ICOSA_MACHINES_USER.`)
  return { name, ...account }
}

/** A command line as the account of machines. */
export function commandFor({ account }: Programs, program: string, args: readonly string[]): [string, string[]] {
  const [name, ...all] = commandAs(account, program, args)
  return [name, all]
}

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** Where it works: by that the processes of an instance are known. */
  readonly folder?: string
}

/** Long enough to copy a large machine; whoever waits has a deadline of its own. */
const deadlineMs = 6 * 3_600_000

export async function runAs(
  programs: Programs,
  program: string,
  args: readonly string[],
  { env, signal, folder = '/' }: CommandOptions = {},
): Promise<string> {
  const [name, all] = commandFor(programs, 'env', ['-C', folder, program, ...args])
  try {
    const printed = await runProgram(name, all, { env: { ...environment(programs), ...env }, signal, deadlineMs })
    return printed.toString()
  } catch (error) {
    if (error instanceof ProgramFailed)
      throw new Error(error.message.replace(/^setpriv failed: /, ''), { cause: error })
    throw error
  }
}

/**
 * Where the superuser of an instance signs in, from the node itself. The same on all nodes: a machine that copies another one copies
 * this with it.
 */
export const socketFolder = ({ account }: Programs) => `/tmp/icosa-machines-${account?.name ?? userInfo().username}`

/** Nothing of the node's own, where its keys are. */
export const environment = ({ binaries }: Programs): Record<string, string> => ({
  PATH: `${binaries}:/usr/bin:/bin`,
  LC_ALL: 'C.UTF-8',
  TZ: 'UTC',
})
