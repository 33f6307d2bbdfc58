import { randomBytes } from 'node:crypto'
import { type CellVault, type Clock, type Db, operatorService } from '@icosa/kernel'
import { auditKeyPurpose } from '../../audit/audit.ts'
import { append } from '../../audit/store.ts'

export interface Change {
  readonly operation: string
  /** ID of the operator's credential. */
  readonly caller: string
  /** The tenant that it concerns. */
  readonly subject: string
  /** Its arguments, without secrets. */
  readonly resource: string
  readonly status: number
}

const maxLength = 1_000

/**
 * Appends a change to the chain of operators and, unless it deletes the tenant, to the tenant's own, in the transaction of
 * the change. The request itself, with its address, is in the chain of the operator's tenant.
 */
export async function recordChange(
  db: Db,
  { clock, cellVault }: { readonly clock: Clock; readonly cellVault: CellVault },
  { resource, ...change }: Change,
): Promise<void> {
  const record = {
    ...change,
    ...{ tenant: '', service: operatorService, address: '', at: clock.now() },
    ...{ resource: resource.slice(0, maxLength), requestId: randomBytes(6).toString('hex') },
  }
  const own = { ...record, tenant: change.subject, subject: '', caller: `operator ${change.caller}` }
  const isDeletion = change.operation === 'deleteTenant'
  await append(db, cellVault.derive(auditKeyPurpose), isDeletion ? [record] : [record, own])
}
