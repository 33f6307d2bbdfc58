import { type Db, Failure, implement, invalid, notFound, type ReadingDb } from '@icosa/kernel'
import { existingAccount } from '../accounts/existing.ts'
import type { Account } from '../accounts/store.ts'
import { toAmount } from '../accounts/view.ts'
import { asList, created, emptyReply, itemReply, listed } from '../dialect/reply.ts'
import type { Stored } from '../documents/store.ts'
import { writingOf } from '../payments/order.ts'
import { amountIn, destinationOf, type Writing } from '../payments/pay.ts'
import { findPayment } from '../payments/store.ts'
import { toPayment } from '../payments/view.ts'
import { stamps } from '../schedules/view.ts'
import { type AccountParams, placeOf } from '../shapes/places.ts'
import { ordersOf } from './allocate.ts'
import { allocations as contract } from './contract.ts'
import { allocatePayment } from './jobs.ts'
import { counterpartyOf, type Definition, type InstanceBody, instanceStore, type RuleBody, ruleStore } from './store.ts'

interface NewRule {
  readonly payment_id: number
  readonly type: RuleBody['type']
  readonly definition: readonly Definition[]
}

/** Checks that the definitions can allocate a received payment. */
async function ruleIn(
  { db, tenant }: Writing,
  account: Account,
  { payment_id, type, definition }: NewRule,
): Promise<RuleBody> {
  const payment = await findPayment(db, tenant, account.id, String(payment_id))
  if (!payment || BigInt(payment.amount) <= 0n)
    return invalid([{ at: 'body/payment_id', message: 'is not a payment that this account has received' }])
  for (const [nth, { type: kind, amount, fraction, counterparty_alias }] of definition.entries()) {
    const at = `body/definition/${nth}`
    if ((amount !== undefined) !== (kind === 'AMOUNT') || (fraction !== undefined) !== (kind === 'FRACTION'))
      invalid([{ at, message: 'has an amount if its type is AMOUNT, and a fraction if it is FRACTION' }])
    if (amount) amountIn(account.currency, amount, `${at}/amount`)
    const to = await destinationOf(db, tenant, counterparty_alias)
    if (to.account?.id === account.id) invalid([{ at, message: 'is the account itself' }])
  }
  const total = ordersOf(BigInt(payment.amount), account.currency, definition)
    .map(({ amount }, nth) => amountIn(account.currency, amount, `body/definition/${nth}`))
    .reduce((sum, amount) => sum + amount, 0n)
  if (total > BigInt(payment.amount)) invalid([{ at: 'body/definition', message: 'allocates more than was received' }])
  const trigger = { amount: payment.amount, counterparty: counterpartyOf(payment) }
  return { type, payment: payment.id, ...trigger, definitions: definition }
}

async function ruleOf(db: ReadingDb, tenant: string, params: AccountParams, id: string): Promise<Stored<RuleBody>> {
  return (await ruleStore.find(db, tenant, placeOf(params), id)) ?? notFound('allocation rule', id)
}

async function lockActive(
  db: Db,
  tenant: string,
  params: AccountParams & { readonly itemId: string },
): Promise<string> {
  const { id } = await ruleOf(db, tenant, params, params.itemId)
  const rule = (await ruleStore.lock(db, tenant, id)) ?? notFound('allocation rule', id)
  if (rule.status !== 'ACTIVE') throw new Failure('invalid', `The rule is already ${rule.status.toLowerCase()}.`)
  return id
}

async function toRule(db: ReadingDb, tenant: string, rule: Stored<RuleBody>) {
  const { body, status, account } = rule
  const payment = await findPayment(db, tenant, account as string, body.payment)
  if (!payment) throw new Error(`payment ${body.payment} does not exist`)
  const trigger_amount = toAmount(BigInt(body.amount), payment.currency)
  return { ...stamps(rule), type: body.type, status, trigger_amount, payment: toPayment(payment) as never }
}

const toInstance = (instance: Stored<InstanceBody>) => {
  const { trigger, batch, error } = instance.body
  const line = { error_description: error ?? '', error_description_translated: error ?? '' }
  return {
    ...stamps(instance),
    status: instance.status,
    payment_auto_allocate_id: Number(instance.parent),
    payment_id: Number(trigger),
    payment_batch_id: batch === null ? null : Number(batch),
    error_message: error === null ? [] : [line],
  }
}

const noAddress = { name: null, service: null }

export const allocations = implement(contract, {
  async createAllocation({ params, body }, context) {
    const writing = writingOf(context)
    const { db, jobs, tenant, at } = writing
    const account = await existingAccount(db, tenant, params['monetary-accountID'])
    const rule = await ruleIn(writing, account, body)
    const id = await ruleStore.insert(db, tenant, placeOf(params), { status: 'ACTIVE', body: rule, at })
    await jobs.enqueue(allocatePayment, { rule: id, account: account.id, payment: rule.payment })
    return created(id)
  },
  async listAllocations({ params, query }, { db, caller }) {
    const rows = await ruleStore.list(db, caller.tenant, placeOf(params), query)
    const views = await Promise.all(rows.map((row) => toRule(db, caller.tenant, row)))
    return listed(
      'PaymentAutoAllocate',
      query,
      views,
      (view) => view,
      ({ id }) => id,
    )
  },
  async listUserAllocations({ params, query }, { db, caller }) {
    const rows = await ruleStore.listOfUser(db, caller.tenant, params.userID, { count: 10, ...query })
    const views = await Promise.all(rows.map((row) => toRule(db, caller.tenant, row)))
    return listed(
      'PaymentAutoAllocate',
      query,
      views,
      (view) => view,
      ({ id }) => id,
    )
  },
  async getAllocation({ params }, { db, caller }) {
    const rule = await ruleOf(db, caller.tenant, params, params.itemId)
    return itemReply('PaymentAutoAllocate', await toRule(db, caller.tenant, rule))
  },
  async updateAllocation({ params, body }, context) {
    const writing = writingOf(context)
    const { db, jobs, tenant, at } = writing
    const id = await lockActive(db, tenant, params)
    const account = await existingAccount(db, tenant, params['monetary-accountID'])
    const rule = await ruleIn(writing, account, body)
    await ruleStore.update(db, tenant, id, { body: rule, at })
    await jobs.enqueue(allocatePayment, { rule: id, account: account.id, payment: rule.payment })
    return created(id)
  },
  async deleteAllocation({ params }, { db, caller, clock }) {
    const id = await lockActive(db, caller.tenant, params)
    await ruleStore.update(db, caller.tenant, id, { status: 'CANCELLED', at: clock.now() })
    return emptyReply()
  },
  async listDefinitions({ params }, { db, caller }) {
    const rule = await ruleOf(db, caller.tenant, params, params['payment-auto-allocateID'])
    const views = rule.body.definitions.map(({ type, amount, fraction, counterparty_alias, description }, nth) => ({
      ...stamps(rule),
      id: nth + 1,
      type,
      amount: amount ?? null,
      fraction: fraction ?? null,
      counterparty_alias: { ...noAddress, ...counterparty_alias },
      description: description ?? '',
    }))
    return asList('PaymentAutoAllocateDefinition', views)
  },
  async listAllocationInstances({ params, query }, { db, caller }) {
    const { id: parent } = await ruleOf(db, caller.tenant, params, params['payment-auto-allocateID'])
    const rows = await instanceStore.list(db, caller.tenant, { ...placeOf(params), parent }, query)
    return listed('PaymentAutoAllocateInstance', query, rows, toInstance, ({ id }) => Number(id))
  },
  async getAllocationInstance({ params }, { db, caller }) {
    const { id: parent } = await ruleOf(db, caller.tenant, params, params['payment-auto-allocateID'])
    const instance = await instanceStore.find(db, caller.tenant, { ...placeOf(params), parent }, params.itemId)
    return itemReply('PaymentAutoAllocateInstance', toInstance(instance ?? notFound('instance', params.itemId)))
  },
})
