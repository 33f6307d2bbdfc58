import { sized } from '@icosa/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { balancesOf, prove } from './ledger/store.ts'
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
const customer = ({ customers }: Real, who: number) => customers[who] as Customer
const succeeds = (asked: Promise<unknown>) =>
  asked.then(
    () => true,
    ({ status }: { status: number }) => {
      if (status !== 400) throw new Error(`answered ${status}`)
      return false
    },
  )

async function compare(model: BankModel, { customers }: Real): Promise<void> {
  const ids = customers.map(({ account }) => account['monetary-accountID'])
  const balances = await balancesOf(bank.app.platform.database, 'bank', ids)
  expect(ids.map((id) => Number(balances.get(id)?.amount))).toEqual(model.balances)
}

/** A step that is compared as soon as it is done. */
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
    const { ask, account: params } = customer(real, from)
    const paid = await succeeds(ask.createPayment({ params, body: order(real, to, cents) }))
    expect(paid).toBe(model.pay(from, to, cents))
  }),
)

const request = fc.tuple(pair, amount).map(([[from, to], cents]) =>
  step(`ask ${from} for ${to} ${cents}`, always, async (model, real) => {
    const { amount: amount_inquired, ...rest } = order(real, from, cents)
    const { ask, account: params } = customer(real, to)
    await ask.createRequestInquiry({ params, body: { ...rest, amount_inquired } })
    model.asked.push({ from, to, amount: cents })
  }),
)

const answer = fc.boolean().map((accepts) =>
  step(
    `answer ${accepts}`,
    ({ asked }) => asked.length > 0,
    async (model, real) => {
      const last = model.asked.at(-1) as (typeof model.asked)[0]
      const { ask, account: params } = customer(real, last.from)
      const { body } = await ask.listRequestResponses({ params, query: { count: 200 } })
      const open = body.Response.find(({ RequestResponse }) => RequestResponse.status === 'PENDING')
      const itemId = String(open?.RequestResponse.id)
      const status = accepts ? 'ACCEPTED' : 'REJECTED'
      const done = await succeeds(ask.updateRequestResponse({ params: { ...params, itemId }, body: { status } }))
      const expected = accepts ? model.pay(last.from, last.to, last.amount) : true
      expect(done).toBe(expected)
      if (expected) model.asked.pop()
    },
  ),
)

const card = fc.tuple(who, amount).map(([holder, cents]) =>
  step(`card ${holder} ${cents}`, always, async (model, real) => {
    const { ask, user, account } = customer(real, holder)
    const params = { ...user, cardID: real.cards[holder] as string }
    const body = { amount: amountOf(cents), description: 'A shop', country: 'NL' }
    const itemId = idOf(await ask.authorizeCard({ params, body }))
    const { body: read } = await ask.getMasterCardAction({ params: { ...account, itemId } })
    const day = `${holder} ${bank.app.platform.clock.now().toISOString().slice(0, 10)}`
    const spent = model.spent.get(day) ?? 0
    const isAllowed = spent + cents <= cardLimit && model.available(holder) >= cents
    expect(read.Response[0]?.MasterCardAction.decision).toBe(isAllowed ? 'ALLOWED' : 'DECLINED')
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
      const { ask, user } = customer(real, hold.who)
      const params = { ...user, cardID: real.cards[hold.who] as string, itemId: hold.id }
      await ask.settleAuthorization({ params, body: { status: clears ? 'CLEARED' : 'REVERSED' } })
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
      const { ask, account: params } = customer(real, from)
      const at = new Date(bank.app.platform.clock.now().getTime() + hours * hourMs - hourMs / 2)
      const time_start = at.toISOString().slice(0, 19).replace('T', ' ')
      const body = { payment: order(real, to, cents), schedule: { time_start, recurrence_unit: 'ONCE' as const } }
      await ask.createSchedulePayment({ params, body })
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
    const one = await bank.customer('100.00')
    const id = idOf(await one.ask.createCardDebit({ params: one.user, body: { name_on_card: 'Somebody' } }))
    const body = { status: 'ACTIVE', activation_code: id.padStart(6, '0'), card_limit: amountOf(cardLimit) } as const
    await one.ask.updateCard({ params: { ...one.user, itemId: id }, body })
    customers.push(one)
    cards.push(id)
  }
  return { model: new BankModel(people, 10_000), real: { customers, cards } }
}

test('payments, requests, cards and schedules over the clock do what a model in memory does', async () => {
  const steps = fc.commands([payment, request, answer, card, settle, schedule, time], { maxCommands: 25 })
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      await fc.asyncModelRun(setup, all)
      const { sum, unproven, overdrawn, misheld } = await prove(bank.app.platform.database, 'bank')
      expect({ sum, unproven, overdrawn, misheld }).toEqual({ sum: 0n, unproven: [], overdrawn: [], misheld: [] })
    }),
    { numRuns: sized(6, 100), seed: Number(process.env.SEED ?? 376), endOnFailure: true },
  )
})
