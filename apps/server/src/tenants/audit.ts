import { userInfo } from 'node:os'
import { type Database, virtualClock } from '@icosa/kernel'
import { appendTo, auditKeyPurpose } from '@icosa/platform/audit'
import type { Config } from '../config.ts'
import { vaultOf } from '../vault.ts'

/** Notes in the platform's own chain what somebody did at a shell. */
export async function noteOperator(
  config: Config,
  database: Database,
  operation: string,
  resource: string,
): Promise<void> {
  const key = (await vaultOf(config, database)).derive(auditKeyPurpose)
  const at = (await virtualClock(database)).now()
  const who = { tenant: '', caller: `operator ${userInfo().username}`, address: '', service: 'platform' }
  await appendTo(database, key, [{ ...who, at, operation, resource, status: 200, requestId: '' }])
}
