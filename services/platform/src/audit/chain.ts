import { createHmac } from 'node:crypto'

/** Who did what, from where, to what, and how it ended. */
export interface AuditRecord {
  readonly tenant: string
  readonly at: Date
  /** The id of a credential, or `operator` for somebody at a shell. */
  readonly caller: string
  readonly address: string
  readonly service: string
  readonly operation: string
  /** The path of the request: what it was about. */
  readonly resource: string
  readonly status: number
  readonly requestId: string
}

export interface AuditRow extends AuditRecord {
  readonly number: number
  readonly previousAt: Date | null
  readonly previous: Buffer | null
  readonly hash: Buffer
}

export interface Head {
  readonly number: number
  readonly at: Date
  readonly hash: Buffer
}

/** The rows that follow a head. */
export function chained(key: Uint8Array, head: Head | undefined, records: readonly AuditRecord[]): AuditRow[] {
  let [number, at, previous] = [head?.number ?? 0, head?.at ?? null, head?.hash ?? null]
  return records.map((record) => {
    number += 1
    const linked = { ...record, number, previousAt: at, previous }
    const hash = hashOf(key, linked)
    at = record.at
    previous = hash
    return { ...linked, hash }
  })
}

/** Under a key of the vault: who has only the database cannot make one that fits. */
export function hashOf(key: Uint8Array, row: Omit<AuditRow, 'hash'>): Buffer {
  const { tenant, number, at, caller, address, service, operation, resource, status, requestId } = row
  const before = [row.previousAt?.toISOString() ?? null, row.previous?.toString('hex') ?? null]
  const fields = [tenant, number, at.toISOString(), caller, address, service, operation, resource, status, requestId]
  return createHmac('sha256', key)
    .update(JSON.stringify([...fields, ...before]))
    .digest()
}

export interface Problem {
  readonly tenant: string
  readonly number: number
  readonly what: string
}

/** Checks the rows of one tenant as they come, oldest first. */
export function chainChecker(key: Uint8Array, tenant: string, keptSince: Date) {
  const problems: Problem[] = []
  let last: AuditRow | undefined
  let count = 0
  const wrong = (number: number, what: string) => void problems.push({ tenant, number, what })

  return {
    add(row: AuditRow): void {
      count++
      const { number } = row
      if (!hashOf(key, row).equals(row.hash)) wrong(number, 'was changed')
      // Nodes write what they saw in the order in which they come to it: a row may be a little older than the one before it.
      const isOldBefore = row.previousAt !== null && row.previousAt < keptSince
      const isNext = number === (last?.number ?? 0) + 1
      if (!last && !isNext && !isOldBefore)
        wrong(number, 'comes first, but those before it are not old enough to be gone')
      if (last && !isNext && !isOldBefore) wrong(number, `comes after ${last.number}: those between are gone`)
      else if (last && isNext && !row.previous?.equals(last.hash)) wrong(number, `does not follow ${last.number}`)
      last = row
    },
    /** `head` is where the chain ended when it was last written to. */
    end(head: Head | undefined): { readonly problems: readonly Problem[]; readonly count: number } {
      const isYoung = head !== undefined && head.at >= keptSince
      if (isYoung && (last?.number !== head.number || !last.hash.equals(head.hash)))
        wrong(head.number, `is the end, but the last row is ${last?.number ?? 'gone'}`)
      if (!head && last) wrong(last.number, 'is there, but the end of the chain is gone')
      return { problems, count }
    },
  }
}
