import type { Db } from '../db/db.ts'
import { type Claim, type ClaimKey, renewClaims } from './claim.ts'
import { cancelledAmong, type OperationKey } from './operations.ts'

/** What is known of a running job to those who keep its claim. */
export interface KeptClaim extends ClaimKey {
  readonly operation: OperationKey | undefined
}

export const keptClaim = ({ queue, id, retryCount, data: { tenant, operation } }: Claim): KeptClaim => ({
  queue,
  id,
  retryCount,
  operation: operation === undefined ? undefined : { tenant, id: operation },
})

/** Jobs by their ids, and operations by theirs. */
export interface Found {
  readonly lost: readonly string[]
  readonly cancelled: readonly string[]
}

/** Says of jobs that they go on. Answers of which this is no longer so. */
export async function renewAll(db: Db, claims: readonly KeptClaim[]): Promise<Found> {
  if (claims.length === 0) return { lost: [], cancelled: [] }
  const held = await renewClaims(db, claims)
  const cancelled = await cancelledAmong(
    db,
    claims.flatMap(({ operation }) => operation ?? []),
  )
  return { lost: claims.flatMap(({ id }) => (held.has(id) ? [] : id)), cancelled: [...cancelled] }
}
