import { type Caller, tenantOf } from '../context.ts'
import type { Fence } from '../db/fence/fence.ts'

type Found = Caller | undefined

/**
 * Rejects callers whose tenant lives in another cell, for operations that only read: a write learns it from PostgreSQL.
 * Without a promise for all others, since it is on the path of every request.
 */
export function ofThisCell(found: Found | Promise<Found>, fence: Fence): Found | Promise<Found> {
  if (found instanceof Promise) return found.then((caller) => ofThisCell(caller, fence))
  const tenant = tenantOf(found)
  if (tenant === undefined || fence.isHere(tenant)) return found
  return fence.confirmHere(tenant).then(() => found)
}
