import { createHmac, randomBytes } from 'node:crypto'
import { operatorService } from '@icosa/kernel'

export interface AuditRecord {
  /** Owner of the chain; '' is the platform, whose chain records the acts of operators. */
  readonly tenant: string
  /** In the platform's chain: the tenant that an act concerns, '' for none. */
  readonly subject: string
  readonly at: Date
  /** The id of a credential, or the operator at a shell. */
  readonly caller: string
  readonly address: string
  readonly service: string
  readonly operation: string
  /** The path of the request, or the arguments of the operator's command. */
  readonly resource: string
  readonly status: number
  readonly requestId: string
}

export interface AuditRow extends AuditRecord {
  readonly number: number
  /** Null in erased rows and in rows of versions without salt. */
  readonly salt: Buffer | null
  /** Proof of erasure; null in a complete row. */
  readonly erased: Buffer | null
  readonly previousAt: Date | null
  readonly previous: Buffer | null
  readonly hash: Buffer
}

export interface Head {
  readonly number: number
  readonly at: Date
  readonly hash: Buffer
}

const saltBytes = 16

/** Appends records to a chain. */
export function chained(key: Uint8Array, head: Head | undefined, records: readonly AuditRecord[]): AuditRow[] {
  let [number, at, previous] = [head?.number ?? 0, head?.at ?? null, head?.hash ?? null]
  return records.map((record) => {
    number += 1
    const linked = { ...record, number, salt: randomBytes(saltBytes), erased: null, previousAt: at, previous }
    const hash = hashOf(key, linked)
    at = record.at
    previous = hash
    return { ...linked, hash }
  })
}

const hmac = (key: Uint8Array, fields: readonly unknown[]) =>
  createHmac('sha256', key).update(JSON.stringify(fields)).digest()

/** HMAC with a key of the vault: access to the database alone is not enough to forge it. */
export function hashOf(key: Uint8Array, row: Omit<AuditRow, 'hash'>): Buffer {
  const { tenant, number, at, caller, address, service, operation, resource, status, requestId, salt, subject } = row
  const link = [row.previousAt?.toISOString() ?? null, row.previous?.toString('hex') ?? null]
  const fields = [tenant, number, at.toISOString(), caller, address, service, operation, resource, status, requestId]
  return hmac(key, [...fields, ...link, ...(salt ? [subject, salt.toString('hex')] : [])])
}

/**
 * The row without its personal fields. An operator's name and address stay, for accountability. Only a row with a valid
 * hash gets a proof, so that an erasure hides no change.
 */
export function erasedRow(keys: readonly Uint8Array[], row: AuditRow): AuditRow {
  const { caller, address } = row.service === operatorService ? row : { caller: '', address: '' }
  const bare = { ...row, caller, address, resource: '', salt: null }
  const [key] = keys
  return { ...bare, erased: key && isUnchanged(keys, row) ? proofOf(key, bare) : null }
}

const proofOf = (key: Uint8Array, row: AuditRow) =>
  hmac(key, ['erased', hashOf(key, row).toString('hex'), row.subject, row.hash.toString('hex')])

const isUnchanged = (keys: readonly Uint8Array[], row: AuditRow) =>
  keys.some((key) => hashOf(key, row).equals(row.hash))

const isIntact = (keys: readonly Uint8Array[], row: AuditRow) =>
  row.erased ? keys.some((key) => row.erased?.equals(proofOf(key, row))) : isUnchanged(keys, row)

export interface Problem {
  readonly tenant: string
  readonly number: number
  readonly what: string
}

/** Head of a chain as printed by an earlier check, stored outside the database. */
export interface KeptEnd {
  readonly tenant: string
  readonly number: number
  readonly at: Date
  readonly hash: string
}

export interface Check {
  /** All keys derived for the log so far: the newest signs, any verifies. */
  readonly keys: readonly Uint8Array[]
  /** Older rows may have expired. */
  readonly keptSince: Date
  readonly ends?: readonly KeptEnd[] | undefined
}

/** Checks the rows of one tenant in order, oldest first. */
export function chainChecker(tenant: string, { keys, keptSince, ends = [] }: Check) {
  const problems: Problem[] = []
  const expected = new Map(
    ends.filter((end) => end.tenant === tenant && end.at >= keptSince).map(({ number, hash }) => [number, hash]),
  )
  let last: AuditRow | undefined
  let count = 0
  const report = (number: number, what: string) => void problems.push({ tenant, number, what })

  return {
    add(row: AuditRow): void {
      count++
      const { number } = row
      if (!isIntact(keys, row)) report(number, 'was changed')
      // Nodes write with different delays: a row may be a little older than its predecessor.
      const hasExpiredPrevious = row.previousAt !== null && row.previousAt < keptSince
      const isNext = number === (last?.number ?? 0) + 1
      if (!last && !isNext && !hasExpiredPrevious)
        report(number, 'comes first, but its predecessors are too young to have expired')
      if (last && !isNext && !hasExpiredPrevious)
        report(number, `comes after ${last.number}: the rows between are missing`)
      else if (last && isNext && !row.previous?.equals(last.hash)) report(number, `does not follow ${last.number}`)
      if ((expected.get(number) ?? row.hash.toString('hex')) !== row.hash.toString('hex'))
        report(number, 'is not the recorded end: the chain was replaced')
      expected.delete(number)
      last = row
    },
    end(head: Head | undefined): { readonly problems: readonly Problem[]; readonly count: number } {
      const isYoung = head !== undefined && head.at >= keptSince
      if (isYoung && (last?.number !== head.number || !last.hash.equals(head.hash)))
        report(head.number, `is the end, but the last row is ${last?.number ?? 'missing'}`)
      if (!head && last) report(last.number, 'exists, but the head of the chain is missing')
      for (const number of expected.keys()) report(number, 'was the recorded end, and is missing')
      return { problems, count }
    },
  }
}
