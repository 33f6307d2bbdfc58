import { job } from '@icosa/kernel'
import { existingAccount } from '../accounts/existing.ts'
import { publish } from '../notifications/publish.ts'
import { receive } from '../payments/receive.ts'
import { issuers, topUpStore } from './store.ts'
import { issuerLabel, nameOf } from './view.ts'

/** The answer of the other bank: it pays, refuses, or never answers. An account that was closed meanwhile gets nothing. */
export const settleTopUp = job<{ readonly id: string }>('settleTopUp', {
  lane: 'punctual',
  run:
    async ({ id }, { tenant, clock }) =>
    async (db, jobs) => {
      const writing = { db, jobs, tenant, at: clock.now() }
      const topUp = await topUpStore.lock(db, tenant, id)
      if (topUp?.status !== 'OPEN') return
      const { issuer, amount } = topUp.body
      const account = await existingAccount(db, tenant, topUp.account as string)
      const answer = issuers[issuer]?.answer ?? 'FAILURE'
      const status = account.status === 'ACTIVE' ? answer : 'FAILURE'
      const from = { purpose: `bank ${issuer}`, counterparty: issuerLabel(issuer) }
      const description = `From ${nameOf(issuer)}`
      const payment = { ...from, amount: BigInt(amount), description, type: 'IDEAL' }
      const received = status === 'SUCCESS' ? [await receive(writing, account, payment)] : []
      await topUpStore.update(db, tenant, id, { status, at: writing.at })
      const place = { user: account.user, account: account.id }
      const event = { ...place, category: 'IDEAL', action: 'UPDATE', kind: 'IdealMerchantTransaction', id } as const
      await publish(writing, [event, ...received], received)
    },
})
