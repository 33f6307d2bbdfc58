import { createHmac, randomBytes } from 'node:crypto'

/** Who did what, from where, to what, and how it ended. */
export interface AuditRecord {
  /** Whose chain it is in; '' is the platform's own, where the acts of operators are. */
  readonly tenant: string
  /** In the platform's own chain: the tenant that an act is about, '' for none. */
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

/** The service of rows that are acts of operators. */
export const operatorService = 'operator'

export interface AuditRow extends AuditRecord {
  readonly number: number
  /** Null in an erased row, and in those of versions that had none. */
  readonly salt: Buffer | null
  /** Proof of an erasure; null while the row is whole. */
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

/** The rows that follow a head. */
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

/** Under a key of the vault: who has only the database cannot make one that fits. */
export function hashOf(key: Uint8Array, row: Omit<AuditRow, 'hash'>): Buffer {
  const { tenant, number, at, caller, address, service, operation, resource, status, requestId, salt, subject } = row
  const before = [row.previousAt?.toISOString() ?? null, row.previous?.toString('hex') ?? null]
  const fields = [tenant, number, at.toISOString(), caller, address, service, operation, resource, status, requestId]
  return hmac(key, [...fields, ...before, ...(salt ? [subject, salt.toString('hex')] : [])])
}

/**
 * The row without its personal fields. An operator's name and address stay: they answer for what they did. Only a row whose
 * hash fits gets a proof, so that an erasure hides no change.
 */
export function erasedRow(keys: readonly Uint8Array[], row: AuditRow): AuditRow {
  const { caller, address } = row.service === operatorService ? row : { caller: '', address: '' }
  const bare = { ...row, caller, address, resource: '', salt: null }
  const [key] = keys
  return { ...bare, erased: key && isWhole(keys, row) ? proofOf(key, bare) : null }
}

const proofOf = (key: Uint8Array, row: AuditRow) =>
  hmac(key, ['erased', hashOf(key, row).toString('hex'), row.subject, row.hash.toString('hex')])

const isWhole = (keys: readonly Uint8Array[], row: AuditRow) => keys.some((key) => hashOf(key, row).equals(row.hash))

const isIntact = (keys: readonly Uint8Array[], row: AuditRow) =>
  row.erased ? keys.some((key) => row.erased?.equals(proofOf(key, row))) : isWhole(keys, row)

export interface Problem {
  readonly tenant: string
  readonly number: number
  readonly what: string
}

/** The end of a chain as an earlier check printed it, kept outside the database. */
export interface KeptEnd {
  readonly tenant: string
  readonly number: number
  readonly at: Date
  readonly hash: string
}

export interface Check {
  /** All that the vault has derived for the log so far: the newest signs, any verifies. */
  readonly keys: readonly Uint8Array[]
  /** Older rows may be gone. */
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
  const wrong = (number: number, what: string) => void problems.push({ tenant, number, what })

  return {
    add(row: AuditRow): void {
      count++
      const { number } = row
      if (!isIntact(keys, row)) wrong(number, 'was changed')
      // Nodes write what they saw in the order in which they come to it: a row may be a little older than the one before it.
      const isOldBefore = row.previousAt !== null && row.previousAt < keptSince
      const isNext = number === (last?.number ?? 0) + 1
      if (!last && !isNext && !isOldBefore)
        wrong(number, 'comes first, but those before it are not old enough to be gone')
      if (last && !isNext && !isOldBefore) wrong(number, `comes after ${last.number}: those between are gone`)
      else if (last && isNext && !row.previous?.equals(last.hash)) wrong(number, `does not follow ${last.number}`)
      if ((expected.get(number) ?? row.hash.toString('hex')) !== row.hash.toString('hex'))
        wrong(number, 'is not the end that was kept: the chain was replaced')
      expected.delete(number)
      last = row
    },
    /** `head` is where the chain ended when it was last written to. */
    end(head: Head | undefined): { readonly problems: readonly Problem[]; readonly count: number } {
      const isYoung = head !== undefined && head.at >= keptSince
      if (isYoung && (last?.number !== head.number || !last.hash.equals(head.hash)))
        wrong(head.number, `is the end, but the last row is ${last?.number ?? 'gone'}`)
      if (!head && last) wrong(last.number, 'is there, but the end of the chain is gone')
      for (const number of expected.keys()) wrong(number, 'was the end that was kept, and is gone')
      return { problems, count }
    },
  }
}
