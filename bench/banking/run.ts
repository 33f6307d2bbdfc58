/**
 * Ledger transfers per second, one statement each with all postings, compared with a bare transaction that updates two rows,
 * in the same run: among 1,000 accounts, and from all of them to one. Also measures a deferred constraint instead of
 * the check at the end of the statement.
 */
import { batcher, sql } from '@icosa/kernel'
import { seededBelow } from '@icosa/testing'
import {
  type NewTransaction,
  type Posted,
  post,
  postTogether,
  reconcile,
} from '../../services/banking/src/ledger/store.ts'
import { inParallel, openLedger, tenant, transferOf } from '../../services/banking/src/testing/ledger.ts'
import { type Figure, latencies, median, record } from '../figures.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const transfers = Number(process.env.BENCH_TRANSFERS ?? 4_000)
const clients = 64
const goal = 0.5

await using ledger = await openLedger(16)
const { database } = ledger
const accounts: string[] = []
await inParallel(16, 1_000, async () => {
  accounts.push(await ledger.account(10n ** 9n))
})
await database.script(`
  create table bare (id bigint primary key, amount bigint not null);
  insert into bare select id, 1000000000 from generate_series(1, 1000) id`)

interface Measured {
  readonly rate: number
  readonly p50: number
  readonly p99: number
}

async function measure(one: (from: number, to: number) => Promise<unknown>, isHot: boolean): Promise<Measured> {
  const next = seededBelow(11)
  const waits: number[] = []
  const began = performance.now()
  await inParallel(clients, transfers, async () => {
    const from = 1 + next(999)
    const to = isHot ? 0 : (from + 1 + next(998)) % 1_000
    const start = performance.now()
    await one(from, to)
    waits.push(performance.now() - start)
  })
  const seconds = (performance.now() - began) / 1000
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { rate: transfers / seconds, p50: at(0.5), p99: at(0.99) }
}

/** In id order, to avoid deadlocks. */
const bare = (from: number, to: number) =>
  database.transaction(async (db) => {
    const changes = [
      { id: from + 1, by: -1 },
      { id: to + 1, by: 1 },
    ].sort((a, b) => a.id - b.id)
    for (const { id, by } of changes) await db.run(sql`update bare set amount = amount + ${by} where id = ${id}`)
  })

const ours = (from: number, to: number) =>
  database.transaction((db) => post(db, tenant, transferOf(accounts[from] as string, accounts[to] as string, 1n)))

const inBatch = batcher((transactions: readonly NewTransaction[]) =>
  database.transaction(async (db) => {
    const posted = await postTogether(db, tenant, transactions)
    return new Map(transactions.map((transaction, nth) => [transaction, posted[nth] as Posted]))
  }),
)
const together = (from: number, to: number) => inBatch(transferOf(accounts[from] as string, accounts[to] as string, 1n))

const deferred = {
  on: `
    alter table banking.ledger_postings disable trigger balanced;
    create or replace function banking.refuse_unbalanced_later() returns trigger language plpgsql as $$
    begin
      if exists (select 1 from banking.ledger_postings p where p.tenant = new.tenant
          and p.transaction_id = new.transaction_id group by p.currency having sum(p.amount) <> 0) then
        raise exception 'unbalanced';
      end if;
      return null;
    end $$;
    create index by_transaction on banking.ledger_postings (tenant, transaction_id);
    create constraint trigger balanced_later after insert on banking.ledger_postings
      deferrable initially deferred for each row execute function banking.refuse_unbalanced_later()`,
  off: `
    drop trigger balanced_later on banking.ledger_postings;
    drop index banking.by_transaction;
    alter table banking.ledger_postings enable trigger balanced`,
}

const results: Record<string, Measured[]> = {}
const keep = (name: string, measured: Measured) => {
  results[name] = [...(results[name] ?? []), measured]
}
for (let round = 0; round <= rounds; round++) {
  const isWarm = round > 0
  const measured = {
    'bare, two rows': await measure(bare, false),
    ledger: await measure(ours, false),
    'ledger, together': await measure(together, false),
    'bare, one row hot': await measure(bare, true),
    'ledger, one account hot': await measure(ours, true),
    'ledger, together, one account hot': await measure(together, true),
  }
  if (isWarm) for (const [name, one] of Object.entries(measured)) keep(name, one)
  await database.script(deferred.on)
  const later = await measure(ours, false)
  await database.script(deferred.off)
  if (isWarm) keep('ledger, deferred constraint', later)
}

const of = (name: string, figure: keyof Measured) => median((results[name] ?? []).map((one) => one[figure]))
const { sum, balanceMismatches } = await reconcile(database, tenant)
if (sum !== 0n || balanceMismatches.length > 0) throw new Error('the ledger does not balance')
const ratio = (name: string, base: string): Pick<Figure, 'value' | 'unit'> => ({
  value: of(name, 'rate') / of(base, 'rate'),
  unit: '×',
})
record([
  {
    name: `transfers among 1,000 accounts, ${clients} clients`,
    ...ratio('ledger', 'bare, two rows'),
    comparedWith: 'a bare transaction that updates two rows',
    goal: { atLeast: goal },
  },
  {
    name: `transfers into one account, ${clients} clients`,
    ...ratio('ledger, one account hot', 'bare, one row hot'),
    comparedWith: 'a bare transaction that updates the same row',
    goal: { atLeast: goal },
  },
  {
    name: `transfers of different requests together, ${clients} clients`,
    ...ratio('ledger, together', 'bare, two rows'),
    comparedWith: 'a bare transaction that updates two rows',
    goal: { atLeast: 0.6 },
  },
  {
    name: `transfers of different requests together into one account, ${clients} clients`,
    ...ratio('ledger, together, one account hot', 'bare, one row hot'),
    comparedWith: 'a bare transaction that updates the same row',
    goal: { atLeast: 1 },
  },
  {
    name: 'balances checked by a deferred constraint instead',
    ...ratio('ledger, deferred constraint', 'bare, two rows'),
    comparedWith: 'a bare transaction that updates two rows',
  },
  ...Object.keys(results).flatMap((name): Figure[] => [
    { name: `${name}, transfers`, value: of(name, 'rate'), unit: '/s' },
    ...latencies(`${name}, latency`, { p50: of(name, 'p50'), p99: of(name, 'p99') }),
  ]),
])
