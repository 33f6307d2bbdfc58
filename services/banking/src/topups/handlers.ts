import { randomUUID } from 'node:crypto'
import { Failure, implement, invalid, notFound } from '@icosa/kernel'
import { existingAccount } from '../accounts/existing.ts'
import { created, itemReply, listed } from '../dialect/reply.ts'
import { publish } from '../notifications/publish.ts'
import { writingOf } from '../payments/order.ts'
import { amountIn } from '../payments/pay.ts'
import { momentOf } from '../shapes/moments.ts'
import { placeOf } from '../shapes/places.ts'
import { topUps as contract } from './contract.ts'
import { settleTopUp } from './jobs.ts'
import { issuers, topUpStore } from './store.ts'
import { toTopUp } from './view.ts'

/** In the smallest unit, like that of the original's scheme. */
const maxAmount = 5_000_000n
const hourMs = 3_600_000

export const topUps = implement(contract, {
  async createTopUp({ params, body }, context) {
    const writing = writingOf(context)
    const { db, jobs, tenant, at } = writing
    const account = await existingAccount(db, tenant, params['monetary-accountID'])
    if (account.status !== 'ACTIVE') throw new Failure('invalid', `The account ${account.iban} is closed.`)
    const issuer = issuers[body.issuer]
    if (!issuer) return invalid([{ at: 'body/issuer', message: `must be one of ${Object.keys(issuers).join(', ')}` }])
    if (account.currency !== 'EUR') invalid([{ at: 'body', message: 'requires an account in EUR' }])
    const amount = amountIn(account.currency, body.amount_requested, 'body/amount_requested')
    if (amount > maxAmount) invalid([{ at: 'body/amount_requested/value', message: 'must be at most 50000.00' }])
    const answersAt = new Date(at.getTime() + issuer.answersAfterMs)
    const topUp = {
      uuid: randomUUID(),
      issuer: body.issuer,
      amount: String(amount),
      currency: account.currency,
      expiresAt: momentOf(issuer.answer === 'EXPIRED' ? answersAt : new Date(answersAt.getTime() + hourMs)),
    }
    const id = await topUpStore.insert(db, tenant, placeOf(params), { status: 'OPEN', body: topUp, at })
    await jobs.enqueue(settleTopUp, { id }, { at: answersAt })
    await publish(writing, [
      { ...placeOf(params), category: 'IDEAL', action: 'CREATE', kind: 'IdealMerchantTransaction', id },
    ])
    return created(id)
  },
  async listTopUps({ params, query }, { db, caller }) {
    const account = await existingAccount(db, caller.tenant, params['monetary-accountID'])
    const rows = await topUpStore.list(db, caller.tenant, placeOf(params), query)
    return listed(
      'IdealMerchantTransaction',
      query,
      rows,
      (row) => toTopUp(row, account),
      ({ id }) => Number(id),
    )
  },
  async getTopUp({ params }, { db, caller }) {
    const account = await existingAccount(db, caller.tenant, params['monetary-accountID'])
    const topUp = await topUpStore.find(db, caller.tenant, placeOf(params), params.itemId)
    return itemReply('IdealMerchantTransaction', toTopUp(topUp ?? notFound('transaction', params.itemId), account))
  },
})
