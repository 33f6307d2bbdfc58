import { sized } from '@icosa/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { balancesOf, reconcile } from './ledger/store.ts'
import { type Bank, type Customer, euros, idOf, openBank } from './testing/bank.ts'
import { BankModel } from './testing/model.ts'

const people = 3
const cardLimit = 8_000
const hourMs = 3_600_000

let bank: Bank
beforeAll(async () => {
  bank = await openBank()
})
afterAll(() => bank[Symbol.asyncDispose]())

interface Real {
  readonly customers: readonly Customer[]
  readonly cards: readonly string[]
}
type Step = fc.AsyncCommand<BankModel, Real>

const amountOf = (cents: number) => euros((cents / 100).toFixed(2))
const customer = ({ customers }: Real, index: number) => customers[index] as Customer
const succeeds = (response: Promise<unknown>) =>
  response.then(
    () => true,
    ({ status }: { status: number }) => {
      if (status !== 400) throw new Error(`status ${status}`)
      return false
    },
  )

async function compare(model: BankModel, { customers }: Real): Promise<void> {
  const ids = customers.map(({ account }) => account['monetary-accountID'])
  const balances = await balancesOf(bank.app.platform.database, 'bank', ids)
  expect(ids.map((id) => Number(balances.get(id)?.amount))).toEqual(model.balances)
}

/** A step that is compared with the model right after it ran. */
const step = (
  name: string,
  check: (model: BankModel) => boolean,
  run: (model: BankModel, real: Real) => Promise<void>,
): Step => ({
  check,
  async run(model, real) {
    await run(model, real)
    await compare(model, real)
  },
  toString: () => name,
})
const always = () => true

const who = fc.nat(people - 1)
const amount = fc.integer({ min: 1, max: 9_000 })
const pair = fc.tuple(who, who).filter(([from, to]) => from !== to)
const order = (real: Real, to: number, cents: number) => ({
  amount: amountOf(cents),
  counterparty_alias: customer(real, to).pointer,
  description: 'Anything',
})

const payment = fc.tuple(pair, amount).map(([[from, to], cents]) =>
  step(`pay ${from} ${to} ${cents}`, always, async (model, real) => {
    const { api, account: params } = customer(real, from)
    const paid = await succeeds(api.createPayment({ params, body: order(real, to, cents) }))
    expect(paid).toBe(model.pay(from, to, cents))
  }),
)

const request = fc.tuple(pair, amount).map(([[from, to], cents]) =>
  step(`request ${from} ${to} ${cents}`, always, async (model, real) => {
    const { amount: amount_inquired, ...rest } = order(real, from, cents)
    const { api, account: params } = customer(real, to)
    await api.createRequestInquiry({ params, body: { ...rest, amount_inquired } })
    model.requests.push({ from, to, amount: cents })
  }),
)

const response = fc.boolean().map((accepts) =>
  step(
    `respond ${accepts}`,
    ({ requests }) => requests.length > 0,
    async (model, real) => {
      const last = model.requests.at(-1) as (typeof model.requests)[0]
      const { api, account: params } = customer(real, last.from)
      const { body } = await api.listRequestResponses({ params, query: { count: 200 } })
      const open = body.Response.find(({ RequestResponse }) => RequestResponse.status === 'PENDING')
      const itemId = String(open?.RequestResponse.id)
      const status = accepts ? 'ACCEPTED' : 'REJECTED'
      const done = await succeeds(api.updateRequestResponse({ params: { ...params, itemId }, body: { status } }))
      const expected = accepts ? model.pay(last.from, last.to, last.amount) : true
      expect(done).toBe(expected)
      if (expected) model.requests.pop()
    },
  ),
)

const card = fc.tuple(who, amount).map(([holder, cents]) =>
  step(`card ${holder} ${cents}`, always, async (model, real) => {
    const { api, user, account } = customer(real, holder)
    const params = { ...user, cardID: real.cards[holder] as string }
    const body = { amount: amountOf(cents), description: 'A shop', country: 'NL' }
    const itemId = idOf(await api.authorizeCard({ params, body }))
    const { body: action } = await api.getMasterCardAction({ params: { ...account, itemId } })
    const day = `${holder} ${bank.app.platform.clock.now().toISOString().slice(0, 10)}`
    const spent = model.spent.get(day) ?? 0
    const isAllowed = spent + cents <= cardLimit && model.available(holder) >= cents
    expect(action.Response[0]?.MasterCardAction.decision).toBe(isAllowed ? 'ALLOWED' : 'DECLINED')
    if (!isAllowed) return
    model.spent.set(day, spent + cents)
    model.holds.push({ who: holder, amount: cents, id: itemId, day })
  }),
)

const settle = fc.boolean().map((clears) =>
  step(
    `settle ${clears}`,
    ({ holds }) => holds.length > 0,
    async (model, real) => {
      const hold = model.holds.shift() as (typeof model.holds)[0]
      const { api, user } = customer(real, hold.who)
      const params = { ...user, cardID: real.cards[hold.who] as string, itemId: hold.id }
      await api.settleAuthorization({ params, body: { status: clears ? 'CLEARED' : 'REVERSED' } })
      if (clears) model.pay(hold.who, undefined, hold.amount)
      else model.spent.set(hold.day, (model.spent.get(hold.day) ?? 0) - hold.amount)
    },
  ),
)

const schedule = fc.tuple(pair, amount, fc.integer({ min: 1, max: 5 })).map(([[from, to], cents, hours]) =>
  step(
    `schedule ${from} ${to} ${cents} in ${hours}`,
    (model) => !model.scheduled.some(({ at }) => at === model.hours + hours),
    async (model, real) => {
      const { api, account: params } = customer(real, from)
      const at = new Date(bank.app.platform.clock.now().getTime() + hours * hourMs - hourMs / 2)
      const time_start = at.toISOString().slice(0, 19).replace('T', ' ')
      const body = { payment: order(real, to, cents), schedule: { time_start, recurrence_unit: 'ONCE' as const } }
      await api.createSchedulePayment({ params, body })
      model.scheduled.push({ from, to, amount: cents, at: model.hours + hours })
    },
  ),
)

const time = fc.integer({ min: 1, max: 3 }).map((hours) =>
  step(`${hours} hours`, always, async (model) => {
    for (let hour = 0; hour < hours; hour++) {
      await bank.app.clock.advance(hourMs)
      await bank.app.jobs.drain()
      model.pass()
    }
  }),
)

async function setup() {
  const customers: Customer[] = []
  const cards: string[] = []
  for (let nth = 0; nth < people; nth++) {
    const customer = await bank.customer('100.00')
    const id = idOf(await customer.api.createCardDebit({ params: customer.user, body: { name_on_card: 'Somebody' } }))
    const body = { status: 'ACTIVE', activation_code: id.padStart(6, '0'), card_limit: amountOf(cardLimit) } as const
    await customer.api.updateCard({ params: { ...customer.user, itemId: id }, body })
    customers.push(customer)
    cards.push(id)
  }
  return { model: new BankModel(people, 10_000), real: { customers, cards } }
}

test('payments, requests, cards and schedules behave like the in-memory model', async () => {
  const steps = fc.commands([payment, request, response, card, settle, schedule, time], { maxCommands: 25 })
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      await fc.asyncModelRun(setup, all)
      const { sum, balanceMismatches, overdrawn, holdMismatches } = await reconcile(bank.app.platform.database, 'bank')
      expect({ sum, balanceMismatches, overdrawn, holdMismatches }).toEqual({
        sum: 0n,
        balanceMismatches: [],
        overdrawn: [],
        holdMismatches: [],
      })
    }),
    { numRuns: sized(6, 100), seed: Number(process.env.SEED ?? 376), endOnFailure: true },
  )
})
