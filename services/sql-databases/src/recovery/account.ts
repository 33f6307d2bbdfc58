import { chown } from 'node:fs/promises'
import { Failure } from '@icosa/kernel'
import { type Account, accountNamed } from '@icosa/module'

/** PostgreSQL refuses to run as root: returns another account for it. Undefined: the node's own. */
export async function serverAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const account = await accountNamed('postgres', 'nobody')
  if (account) return account
  throw new Failure('unavailable', 'PostgreSQL does not run as root, and a worker has no user postgres or nobody.')
}

export async function give(path: string, account: Account | undefined): Promise<void> {
  if (account) await chown(path, account.uid, account.gid)
}
