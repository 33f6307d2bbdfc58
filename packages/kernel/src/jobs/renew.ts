import type { Db } from '../db/db.ts'
import { type Claim, type ClaimKey, renewClaims } from './claim.ts'
import { cancelledAmong, type OperationKey } from './operations.ts'

/** Lease data of a running job, as needed to renew it. */
export interface KeptClaim extends ClaimKey {
  readonly operation: OperationKey | undefined
}

export const keptClaim = ({ id, attempt, payload: { tenant, operation } }: Claim): KeptClaim => ({
  id,
  attempt,
  operation: operation === undefined ? undefined : { tenant, id: operation },
})

/** IDs of lost jobs, and of cancelled operations. */
export interface Found {
  readonly lost: readonly string[]
  readonly cancelled: readonly string[]
}

/** Renews leases. Returns those that were lost or cancelled. */
export async function renewAll(db: Db, claims: readonly KeptClaim[]): Promise<Found> {
  if (claims.length === 0) return { lost: [], cancelled: [] }
  const valid = await renewClaims(db, claims)
  const cancelled = await cancelledAmong(
    db,
    claims.flatMap(({ operation }) => operation ?? []),
  )
  return { lost: claims.flatMap(({ id }) => (valid.has(id) ? [] : id)), cancelled: [...cancelled] }
}
