import { expect, test } from 'vitest'
import { isIban } from '../accounts/iban.ts'
import { prove } from '../ledger/store.ts'
import { openBank, signIn } from '../testing/bank.ts'
import { seedMonth } from './month.ts'

test('a month of a person and a shop, in books that balance, with keys that work', async () => {
  await using bank = await openBank()
  const { database, clock } = bank.app.platform
  const { person, shop, payments } = await seedMonth(database, clock, 'bank')
  expect(payments).toBeGreaterThan(10)
  expect(isIban(person.iban) && isIban(shop.iban)).toBe(true)
  expect(await prove(database, 'bank')).toEqual({ sum: 0n, unproven: [], overdrawn: [], misheld: [] })
  const { ask } = await signIn(bank.url, person.key)
  const params = { userID: person.user }
  const { body } = await ask.listBankAccounts({ params })
  const account = { ...params, 'monetary-accountID': String(body.Response[0]?.MonetaryAccountBank.id) }
  const { body: listed } = await ask.listPayments({ params: account, query: { count: 200 } })
  const days = new Set(listed.Response.map(({ Payment }) => Payment.created.slice(0, 10)))
  expect(days.size).toBeGreaterThan(5)
})
