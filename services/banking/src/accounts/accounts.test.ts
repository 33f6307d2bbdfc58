import { expect, test } from 'vitest'
import { euros, idOf, openBank } from '../testing/bank.ts'
import { ibanOf, isIban, isOurs, plainIban } from './iban.ts'

test('our IBANs check, and a wrong digit is found', () => {
  for (let id = 1; id < 2_000; id += 7) {
    const iban = ibanOf(String(id))
    expect(isIban(iban)).toBe(true)
    expect(isOurs(iban)).toBe(true)
    const wrong = iban.slice(0, -1) + ((Number(iban.at(-1)) + 1) % 10)
    expect(isIban(wrong)).toBe(false)
  }
  for (const known of ['GB82 WEST 1234 5698 7654 32', 'DE89370400440532013000', 'nl91 abna 0417 1643 00'])
    expect(isIban(plainIban(known))).toBe(true)
})

test('an account is closed once it is empty, and takes no money then', async () => {
  await using bank = await openBank()
  const ada = await bank.customer('10.00')
  const itemId = ada.account['monetary-accountID']
  const close = () => ada.ask.updateBankAccount({ params: { ...ada.user, itemId }, body: { status: 'CANCELLED' } })
  await expect(close()).rejects.toMatchObject({ status: 400 })
  const savings = idOf(
    await ada.ask.createSavingsAccount({ params: ada.user, body: { currency: 'EUR', description: 'Pot' } }),
  )
  const { body } = await ada.ask.getSavingsAccount({ params: { ...ada.user, itemId: savings } })
  const pointer = body.Response[0]?.MonetaryAccountSavings.alias[0] as { type: string; value: string }
  const order = { amount: euros('10.00'), counterparty_alias: pointer, description: 'All of it' }
  await ada.ask.createPayment({ params: ada.account, body: order })
  await close()
  const back = { amount: euros('1.00'), counterparty_alias: ada.pointer, description: 'Back' }
  const params = { ...ada.user, 'monetary-accountID': savings }
  await expect(ada.ask.createPayment({ params, body: back })).rejects.toMatchObject({ status: 400 })
})

test('what a caller writes into a body beside the contract is neither kept nor shown', async () => {
  await using bank = await openBank()
  const ada = await bank.customer('10.00')
  const bram = await bank.customer()
  const forged = { balance: euros('1000000.00'), balance_after_mutation: euros('1000000.00'), status: 'ACTIVE', id: 7 }
  const account = { currency: 'EUR', description: 'Rich', ...forged }
  const itemId = idOf(await ada.ask.createBankAccount({ params: ada.user, body: account }))
  const { body } = await ada.ask.getBankAccount({ params: { ...ada.user, itemId } })
  expect(body.Response[0]?.MonetaryAccountBank).toMatchObject({ id: Number(itemId), balance: euros('0.00') })
  const order = { amount: euros('1.00'), counterparty_alias: bram.pointer, description: 'Tea', ...forged }
  const paid = idOf(await ada.ask.createPayment({ params: ada.account, body: order }))
  const { body: read } = await ada.ask.getPayment({ params: { ...ada.account, itemId: paid } })
  expect(read.Response[0]?.Payment).toMatchObject({ id: Number(paid), balance_after_mutation: euros('9.00') })
  const renamed = { first_name: 'Ada', status: 'KING', legal_name: 'The King' }
  await ada.ask.updateUserPerson({ params: { itemId: ada.user.userID }, body: renamed })
  const { body: user } = await ada.ask.getUserPerson({ params: { itemId: ada.user.userID } })
  expect(user.Response[0]?.UserPerson).toMatchObject({ first_name: 'Ada', status: 'ACTIVE' })
  expect(user.Response[0]?.UserPerson.legal_name).not.toBe('The King')
})
