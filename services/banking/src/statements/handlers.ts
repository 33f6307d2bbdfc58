import { assert, implement, invalid, notFound, ok, type ReadingDb } from '@icosa/kernel'
import { existingAccount } from '../accounts/existing.ts'
import { labelOf } from '../accounts/view.ts'
import { created, emptyReply, itemReply, listed } from '../dialect/reply.ts'
import { documentStore, type Stored } from '../documents/store.ts'
import { balanceAt, type Payment, type Period, paymentsBetween } from '../payments/store.ts'
import { momentOf } from '../shapes/moments.ts'
import { type AccountParams, placeOf } from '../shapes/places.ts'
import { statements as contract } from './contract.ts'
import { render } from './formats.ts'
import { spooled } from './spool.ts'

interface StatementBody {
  readonly statement_format: 'CSV' | 'MT940' | 'PDF'
  readonly date_start: string
  readonly date_end: string
  readonly regional_format: string
}

const statementStore = documentStore<StatementBody>('CustomerStatement')

const midnight = (date: string) => new Date(`${date}T00:00:00Z`)
const dayMs = 86_400_000
const pageSize = 5_000
/** Payments may commit this long after their timestamp. */
const settlingMs = 60_000

async function statementOf(
  db: ReadingDb,
  tenant: string,
  params: AccountParams,
  id: string,
): Promise<Stored<StatementBody>> {
  return (await statementStore.find(db, tenant, placeOf(params), id)) ?? notFound('statement', id)
}

async function statementView(
  db: ReadingDb,
  tenant: string,
  { id, account, body, status, createdAt, updatedAt }: Stored<StatementBody>,
) {
  return {
    id: Number(id),
    created: momentOf(createdAt),
    updated: momentOf(updatedAt),
    ...body,
    statement_number: Number(id),
    status,
    alias_monetary_account: labelOf(await existingAccount(db, tenant, account as string)),
  }
}

interface Books {
  readonly db: ReadingDb
  readonly tenant: string
  readonly period: Period
  readonly opening: bigint
  readonly now: Date
}

/** All payments of a statement. Throws at the end if they do not lead from the ledger's opening balance to its closing one. */
async function* balanced({ db, tenant, period, opening, now }: Books): AsyncGenerator<readonly Payment[]> {
  let sum = opening
  for await (const payments of paymentsBetween(db, tenant, period, pageSize)) {
    for (const { amount } of payments) sum += BigInt(amount)
    yield payments
  }
  const isSettled = now.getTime() - period.to.getTime() > settlingMs
  if (isSettled) assert(sum === (await balanceAt(db, tenant, period.account, period.to)), 'A statement is incomplete.')
}

export const statements = implement(contract, {
  async createStatement({ params, body }, { db, caller, clock }) {
    const { date_start, date_end, statement_format, regional_format = 'EUROPEAN' } = body
    const [from, to] = [midnight(date_start), midnight(date_end)]
    if (Number.isNaN(from.getTime()) || Number.isNaN(to.getTime()) || from > to)
      invalid([{ at: 'body/date_end', message: 'must be a day that is not before date_start' }])
    const statement = { statement_format, date_start, date_end, regional_format }
    const row = { status: 'COMPLETED', body: statement, at: clock.now() }
    return created(await statementStore.insert(db, caller.tenant, placeOf(params), row))
  },
  async listStatements({ params, query }, { db, caller }) {
    const rows = await statementStore.list(db, caller.tenant, placeOf(params), query)
    const views = await Promise.all(rows.map((row) => statementView(db, caller.tenant, row)))
    return listed(
      'CustomerStatement',
      query,
      views,
      (view) => view,
      ({ id }) => id,
    )
  },
  async getStatement({ params }, { db, caller }) {
    const statement = await statementOf(db, caller.tenant, params, params.itemId)
    return itemReply('CustomerStatement', await statementView(db, caller.tenant, statement))
  },
  async deleteStatement({ params }, { db, caller }) {
    if (!(await statementStore.remove(db, caller.tenant, placeOf(params), params.itemId)))
      notFound('statement', params.itemId)
    return emptyReply()
  },
  // Computed from the books on every request: they do not change.
  async getStatementContent({ params }, { db, caller, clock }) {
    const { tenant } = caller
    const { id, body } = await statementOf(db, tenant, params, params['customer-statementID'])
    const account = await existingAccount(db, tenant, params['monetary-accountID'])
    const [from, to] = [midnight(body.date_start), new Date(midnight(body.date_end).getTime() + dayMs)]
    const days = { from: body.date_start, to: body.date_end }
    const isEuropean = body.regional_format === 'EUROPEAN'
    const opening = await balanceAt(db, tenant, account.id, from)
    const books = { db, tenant, period: { account: account.id, from, to }, opening, now: clock.now() }
    const statement = { number: Number(id), account, ...days, opening, payments: balanced(books), isEuropean }
    const { mediaType, content } = render(body.statement_format, statement)
    return ok((await spooled(mediaType, content)) as never)
  },
})
