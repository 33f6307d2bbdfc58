import { Failure } from '@icosa/kernel'
import type { SqlSettings } from '../settings.ts'
import { budgetOf } from './budget.ts'
import * as closing from './closing-store.ts'
import type { Session } from './host.ts'
import { capacity } from './store.ts'

/**
 * Confines callers' roles to their own databases. Returns databases that the administrator may not close; fails if the
 * platform's own is among them.
 */
export async function prepareHost(
  admin: Session,
  platform: closing.OwnDatabase,
  settings: SqlSettings,
): Promise<readonly closing.OpenDatabase[]> {
  const isShared = await checkShared(admin, platform, settings)
  const open = await closeAll(admin)
  const own = isShared ? open.find(({ name }) => name === platform.name) : undefined
  if (own)
    throw new Failure(
      'unavailable',
      `The platform's own database is open to every role of the SQL host: its owner must run ${own.remedy}.`,
    )
  return open
}

/** Returns the databases that remain open. */
async function closeAll(admin: Session): Promise<closing.OpenDatabase[]> {
  const open = await closing.openDatabases(admin)
  const closable = open.filter(({ mayClose }) => mayClose)
  if (closable.length === 0) return open
  for (const { name } of closable) await closing.closeDatabase(admin, name).catch(() => {}) // it may have been dropped
  return closing.openDatabases(admin)
}

/** Whether the platform's own database is on the SQL host. Rejects that unless the operator has allowed it. */
async function checkShared(
  admin: Session,
  platform: closing.OwnDatabase,
  { sharedHost }: SqlSettings,
): Promise<boolean> {
  const isShared = await closing.hasPlatformDatabase(admin, platform)
  if (isShared && !sharedHost)
    throw new Failure(
      'unavailable',
      "Tenants' databases would be created on the platform's own PostgreSQL: set ICOSA_SQL_URL to another one, or ICOSA_SQL_SHARED_HOST=true to allow it, or leave sql-databases out with --services.",
      { code: 'SharedSqlHost' },
    )
  return isShared
}

/** Returns advice for the operator, each with its command. Changes nothing. */
export async function inspectHost(
  admin: Session,
  platform: closing.OwnDatabase,
  settings: SqlSettings,
): Promise<string[]> {
  await checkShared(admin, platform, settings)
  const open = (await closing.openDatabases(admin)).filter(({ mayClose }) => !mayClose)
  const { user, preparedTransactions } = await closing.hostInfo(admin)
  const host = await capacity(admin)
  const budget = budgetOf(host, settings)
  return [
    ...open.map(
      ({ name, remedy }) => `Roles of tenants can connect to the database '${name}': a superuser runs ${remedy}.`,
    ),
    ...(host.maySetTempLimit
      ? []
      : [
          `Temporary files of tenants have no limit: a superuser runs GRANT SET ON PARAMETER temp_file_limit TO ${user}.`,
        ]),
    ...(preparedTransactions > 0
      ? ['Tenants can leave locks behind without a session: set max_prepared_transactions = 0.']
      : []),
    ...(budget < settings.tenant.connections
      ? [
          `A tenant gets ${budget} connections instead of ${settings.tenant.connections}: raise max_connections, or lower ICOSA_SQL_RESERVED_CONNECTIONS or ICOSA_SQL_TENANT_CONNECTIONS.`,
        ]
      : []),
  ]
}
