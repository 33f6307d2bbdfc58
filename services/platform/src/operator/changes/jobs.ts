import { setTimeout as sleep } from 'node:timers/promises'
import { job } from '@icosa/kernel'
import { auditKeyPurpose } from '../../audit/audit.ts'
import { countBlobs, limitsKnownMs } from '../../limits/index.ts'
import { deleteTenant as deleteAll } from '../../tenants/delete.ts'
import type { OperatorRuntime } from '../runtime.ts'
import { recordChange } from './record.ts'

/** Counts the existing blobs of a tenant whose bytes were limited, once all nodes count its new ones. */
export const countBytes = job<{ readonly tenant: string; readonly service: string }, OperatorRuntime>('countBytes', {
  async run(owner, { runtime, clock, signal }) {
    await sleep(2 * limitsKnownMs, undefined, { signal })
    await countBlobs(runtime.database, runtime.blobs, owner, clock.now())
  },
})

interface Deletion {
  readonly tenant: string
  readonly caller: string
}

/** Deletes a tenant. It works for the tenant of the operator, since jobs of the deleted one end with it. */
export const deleteTenant = job<Deletion, OperatorRuntime>('deleteTenant', {
  async run({ tenant, caller }, { runtime, clock, cellVault }) {
    const { database, blobs } = runtime
    const services = await runtime.tenancies()
    const auditKeys = cellVault.everDerived(auditKeyPurpose)
    const { rows, blobs: files } = await deleteAll(tenant, { database, blobs, clock, services, auditKeys })
    return (db) => {
      const resource = `${tenant}: ${rows} rows, ${files} blobs`
      return recordChange(
        db,
        { clock, cellVault },
        { operation: 'deleteTenant', caller, subject: tenant, resource, status: 200 },
      )
    }
  },
})
