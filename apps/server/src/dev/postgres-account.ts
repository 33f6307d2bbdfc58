import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Account, accountNamed, UsageError } from '@icosa/module'

export type Launch = (program: string, args: readonly string[], options: SpawnOptions) => ChildProcess

/** PostgreSQL refuses to run as root. Returns the owner of its folder instead, or an unprivileged account. */
export async function postgresAccount(folder: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = await stat(folder).catch(() => undefined)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }

  const account = await accountNamed('postgres', 'nobody')
  if (account) return account
  throw new UsageError(
    'PostgreSQL does not run as root, and there is no user `postgres` or `nobody` to run it as. ' +
      'Start as another user, or set DATABASE_URL.',
  )
}

/** Returns a function that starts programs as this account, with access to these folders. */
export async function launchAs(account: Account | undefined, folders: readonly string[]): Promise<Launch> {
  if (!account) return spawn
  const closed = await firstClosed(account, folders)
  if (!closed) return (program, args, options) => spawn(program, args, { ...options, ...account })

  if (spawnSync('setpriv', ['--version']).status !== 0) {
    throw new UsageError(
      `PostgreSQL does not run as root, and the user that it would run as cannot enter ${closed}. ` +
        'Install `setpriv` (package util-linux), open or move that folder, start as another user, or set DATABASE_URL.',
    )
  }
  return (program, args, options) => spawn('setpriv', [...passingClosedFolders(account), program, ...args], options)
}

/** Resolves when the program runs. */
export async function spawned(child: ChildProcess): Promise<void> {
  try {
    await once(child, 'spawn')
  } catch (cause) {
    throw new UsageError(
      `PostgreSQL cannot run on this machine (${cause}). Set DATABASE_URL to the address of a server elsewhere.`,
      { cause },
    )
  }
}

/**
 * Keeps the one capability of root that opens folders. Without the securebit the kernel ignores it in access(2), which
 * PostgreSQL calls for its own binary.
 */
function passingClosedFolders({ uid, gid }: Account): string[] {
  const right = '+dac_override'
  const identity = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  return [...identity, '--securebits=+no_setuid_fixup', `--inh-caps=${right}`, `--ambient-caps=${right}`, '--']
}

async function firstClosed(account: Account, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of new Set(folders.flatMap(withParents))) {
    const { uid, gid, mode } = await stat(folder)
    const enter = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & enter) === 0) return folder
  }
  return undefined
}

function withParents(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [...withParents(parent), folder]
}
