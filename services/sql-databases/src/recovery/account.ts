import { chown } from 'node:fs/promises'
import { Failure } from '@icosa/kernel'
import { type Account, accountNamed } from '@icosa/module'

/** As whom PostgreSQL runs on a node that runs as root, which it refuses. Undefined: as whoever the node is. */
export async function serverAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const account = await accountNamed('postgres', 'nobody')
  if (account) return account
  throw new Failure(
    'unavailable',
    'PostgreSQL does not run as root, and there is no user postgres or nobody on a worker.',
  )
}

export async function give(path: string, account: Account | undefined): Promise<void> {
  if (account) await chown(path, account.uid, account.gid)
}
