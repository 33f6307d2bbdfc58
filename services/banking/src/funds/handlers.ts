import { implement, invalid } from '@icosa/kernel'
import { plainIban } from '../accounts/iban.ts'
import { accountByIban } from '../accounts/store.ts'
import { itemReply } from '../dialect/reply.ts'
import { available, balancesOf } from '../ledger/store.ts'
import { amountIn } from '../payments/pay.ts'
import { shareOf } from '../shares/store.ts'
import { funds as contract } from './contract.ts'

export const funds = implement(contract, {
  async confirmFunds({ params: { userID: user }, body }, { db, caller, clock }) {
    const { tenant } = caller
    const { type, value } = body.pointer_iban
    const account = type === 'IBAN' ? await accountByIban(db, tenant, plainIban(value)) : undefined
    const share = account && (await shareOf(db, tenant, { user, account: account.id, now: clock.now() }))
    // The balance of an account of others could be found by asking for one amount after another.
    if (!account || (account.user !== user && !share?.body.access.view_balance))
      return invalid([
        { at: 'body/pointer_iban', message: 'is not the IBAN of an account whose balance the user may see' },
      ])
    const amount = amountIn(account.currency, body.amount)
    const balance = (await balancesOf(db, tenant, [account.id])).get(account.id)
    const free = balance && available(balance)
    const covers = free !== undefined && (free === null || free >= amount)
    return itemReply('ConfirmationOfFunds', { has_sufficient_funds: account.status === 'ACTIVE' && covers })
  },
})
