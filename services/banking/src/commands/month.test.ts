import { expect, test } from 'vitest'
import { isIban } from '../accounts/iban.ts'
import { reconcile } from '../ledger/store.ts'
import { openBank, signIn } from '../testing/bank.ts'
import { seedMonth } from './month.ts'

test('seeds a month of payments with balanced books and working keys', async () => {
  await using bank = await openBank()
  const { database, clock } = bank.app.platform
  const { person, shop, payments } = await seedMonth(database, clock, 'bank')
  expect(payments).toBeGreaterThan(10)
  expect(isIban(person.iban) && isIban(shop.iban)).toBe(true)
  expect(await reconcile(database, 'bank')).toEqual({
    sum: 0n,
    balanceMismatches: [],
    overdrawn: [],
    holdMismatches: [],
  })
  const { api } = await signIn(bank.url, person.key)
  const params = { userID: person.user }
  const { body } = await api.listBankAccounts({ params })
  const account = { ...params, 'monetary-accountID': String(body.Response[0]?.MonetaryAccountBank.id) }
  const { body: listed } = await api.listPayments({ params: account, query: { count: 200 } })
  const days = new Set(listed.Response.map(({ Payment }) => Payment.created.slice(0, 10)))
  expect(days.size).toBeGreaterThan(5)
})
