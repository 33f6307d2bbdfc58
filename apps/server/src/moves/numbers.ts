import { type Database, type Db, type ReadingDb, raw, sql } from '@icosa/kernel'

/**
 * Numbers that are unique across tenants are interleaved: a cell counts in steps of 16,384 from its own number, so rows
 * of two cells never collide, and a tenant's later rows have higher numbers wherever it lives.
 */
const step = 16_384
/** Beyond the numbers from before the cell had one. */
const firstNumbers = { bigint: 2 ** 40, integer: 2 ** 20 } as const

interface Sequence {
  readonly name: string
  readonly type: keyof typeof firstNumbers
  readonly increment: string
  /** Null if none was taken yet. */
  readonly last: string | null
  /** Whether its numbers are in a unique index without the tenant, or of no column. */
  readonly isShared: boolean
}

const sequencesOf = (db: ReadingDb): Promise<Sequence[]> =>
  db.many(sql`
    select format('%I.%I', schemaname, sequencename) as name, data_type::text as type, increment_by::text as increment,
      last_value::text as last, owner.refobjid is null or exists (
        select from pg_index where indrelid = owner.refobjid and indisunique and owner.refobjsubid = any(indkey)
          and not exists (select from pg_attribute where attrelid = indrelid and attname = 'tenant' and attnum = any(indkey))
      ) as "isShared"
    from pg_sequences
      left join pg_depend owner on owner.classid = 'pg_class'::regclass and owner.refclassid = 'pg_class'::regclass
        and owner.objid = format('%I.%I', schemaname, sequencename)::regclass and owner.deptype in ('a', 'i')
    where schemaname in (select replace(owner, '-', '_') from icosa.migrations) and schemaname not in ('directory', 'identity_connect')
      and (owner.refobjid is null
        or exists (select from pg_attribute where attrelid = owner.refobjid and attname = 'tenant' and not attisdropped
          and attgenerated = ''))
    order by 1`)

/** Gives the cell numbers of its own. Has no effect later. */
export async function interleave(database: Database, cell: number): Promise<void> {
  for (const { name, type, increment, isShared } of await sequencesOf(database)) {
    if (!isShared || Number(increment) === step) continue
    await database.transaction(async (db) => {
      const last = await lockedLast(db, name)
      const first = Math.max(firstNumbers[type], last + 1)
      const start = first + ((((cell - first) % step) + step) % step)
      await db.script(`alter sequence ${name} increment by ${step} restart with ${start}`)
    })
  }
}

/** Raises sequences to those of the other cell, so that the tenant's next rows come after those that it has. */
export async function raiseSequences(from: Database, to: Database): Promise<void> {
  const own = new Map((await sequencesOf(to)).map((sequence) => [sequence.name, sequence]))
  for (const { name, last } of await sequencesOf(from)) {
    const { increment, last: ownLast } = own.get(name) ?? {}
    if (last === null || increment === undefined || Number(ownLast ?? 0) >= Number(last)) continue
    await to.transaction(async (db) => {
      const steps = Math.ceil((Number(last) - (await lockedLast(db, name))) / Number(increment))
      if (steps > 0)
        await db.run(sql`
          select setval(${name}::regclass, last_value + ${steps}::bigint * ${increment}::bigint) from ${raw(name)}`)
    })
  }
}

/**
 * Has the tenant's next transactions in `to` come after those in `from`, which may have counted further. Both cells get the same
 * number, so that their rows stay equal.
 */
export async function continueTransactions(from: Database, to: Database, tenant: string): Promise<void> {
  const next = async (database: Database) =>
    database.maybe<{ next: string; earlier: string }>(sql`
      select pg_snapshot_xmax(pg_current_snapshot())::text as next, earlier_transactions::text as earlier
      from icosa.tenants where id = ${tenant}`)
  const [last, own] = await Promise.all([next(from), next(to)])
  if (!last || !own) return
  const earlier = BigInt(last.next) + BigInt(last.earlier) - BigInt(own.next)
  for (const database of [from, to])
    await database.run(sql`
      update icosa.tenants set earlier_transactions = ${String(earlier > 0n ? earlier : 0n)}::bigint where id = ${tenant}`)
}

/** Excludes `nextval` until the end of the transaction. */
async function lockedLast(db: Db, name: string): Promise<number> {
  await db.script(`alter sequence ${name} cache 1`)
  const { last } = await db.one<{ last: string }>(sql`select last_value::text as last from ${raw(name)}`)
  return Number(last)
}

/** Gives timers from before the cell had its numbers new ones. */
export async function renumberTimers(database: Database, tenant: string): Promise<void> {
  await database.transaction(async (db) => {
    await db.run(sql`
      update icosa.timers set id = default where tenant = ${tenant} and id < ${firstNumbers.bigint}`)
  }, tenant)
}
