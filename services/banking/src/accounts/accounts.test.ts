import { expect, test } from 'vitest'
import { euros, idOf, openBank } from '../testing/bank.ts'
import { ibanOf, isIban, isOurs, plainIban } from './iban.ts'

test('our IBANs have valid check digits, and a wrong digit is detected', () => {
  for (let id = 1; id < 2_000; id += 7) {
    const iban = ibanOf(String(id))
    expect(isIban(iban)).toBe(true)
    expect(isOurs(iban)).toBe(true)
    const wrong = iban.slice(0, -1) + ((Number(iban.at(-1)) + 1) % 10)
    expect(isIban(wrong)).toBe(false)
  }
  for (const iban of ['GB82 WEST 1234 5698 7654 32', 'DE89370400440532013000', 'nl91 abna 0417 1643 00'])
    expect(isIban(plainIban(iban))).toBe(true)
})

test('an account can be closed once it is empty, and then accepts no payments', async () => {
  await using bank = await openBank()
  const ada = await bank.customer('10.00')
  const itemId = ada.account['monetary-accountID']
  const close = () => ada.api.updateBankAccount({ params: { ...ada.user, itemId }, body: { status: 'CANCELLED' } })
  await expect(close()).rejects.toMatchObject({ status: 400 })
  const savings = idOf(
    await ada.api.createSavingsAccount({ params: ada.user, body: { currency: 'EUR', description: 'Pot' } }),
  )
  const { body } = await ada.api.getSavingsAccount({ params: { ...ada.user, itemId: savings } })
  const pointer = body.Response[0]?.MonetaryAccountSavings.alias[0] as { type: string; value: string }
  const order = { amount: euros('10.00'), counterparty_alias: pointer, description: 'All of it' }
  await ada.api.createPayment({ params: ada.account, body: order })
  await close()
  const back = { amount: euros('1.00'), counterparty_alias: ada.pointer, description: 'Back' }
  const params = { ...ada.user, 'monetary-accountID': savings }
  await expect(ada.api.createPayment({ params, body: back })).rejects.toMatchObject({ status: 400 })
})

test('unknown fields in a body are rejected by name', async () => {
  await using bank = await openBank()
  const ada = await bank.customer('10.00')
  const bram = await bank.customer()
  const unknown = (name: string) => ({
    status: 400,
    body: { Error: [{ error_description: expect.stringContaining(`${name} is unknown`) }] },
  })
  const account = { currency: 'EUR', description: 'Rich', balance: euros('1000000.00') }
  await expect(ada.api.createBankAccount({ params: ada.user, body: account })).rejects.toMatchObject(unknown('balance'))
  const order = { amount: euros('1.00'), counterparty_alias: bram.pointer, description: 'Tea' }
  const forged = { ...order, balance_after_mutation: euros('1000000.00') }
  await expect(ada.api.createPayment({ params: ada.account, body: forged })).rejects.toMatchObject(
    unknown('balance_after_mutation'),
  )
  const king = { first_name: 'Ada', legal_name: 'The King' }
  await expect(ada.api.updateUserPerson({ params: { itemId: ada.user.userID }, body: king })).rejects.toMatchObject(
    unknown('legal_name'),
  )
  expect(await bank.balance(ada)).toBe('10.00')
})

test('display_name and setting are returned, a partial setting keeps the rest, and a second owner is rejected', async () => {
  await using bank = await openBank()
  const ada = await bank.customer('10.00')
  const bram = await bank.customer()
  const params = { ...ada.user, itemId: ada.account['monetary-accountID'] }
  const change = (body: Parameters<typeof ada.api.updateBankAccount>[0]['body']) =>
    ada.api.updateBankAccount({ params, body })
  await change({ display_name: 'The shop', setting: { color: '#aabbcc', sdd_expiration_action: 'AUTO_REJECT' } })
  await change({ setting: { icon: 'STAR' } })
  const { body } = await ada.api.getBankAccount({ params })
  expect(body.Response[0]?.MonetaryAccountBank).toMatchObject({
    display_name: 'The shop',
    alias: [{ name: 'The shop' }],
    setting: { color: '#aabbcc', icon: 'STAR', sdd_expiration_action: 'AUTO_REJECT' },
    reason: null,
    monetary_account_profile: null,
  })
  const order = { amount: euros('1.00'), counterparty_alias: bram.pointer, description: 'Tea' }
  await ada.api.createPayment({ params: ada.account, body: order })
  const { body: payments } = await bram.api.listPayments({ params: bram.account })
  expect(payments.Response[0]?.Payment.counterparty_alias.display_name).toBe('The shop')
  const joint = { currency: 'EUR', description: 'Ours' }
  const itemId = idOf(await ada.api.createJointAccount({ params: ada.user, body: joint }))
  const { body: account } = await ada.api.getJointAccount({ params: { ...ada.user, itemId } })
  expect(account.Response[0]?.MonetaryAccountJoint.all_co_owner).toMatchObject([{ status: 'ACCEPTED' }])
  const owners = { ...joint, all_co_owner: [{ alias: bram.pointer }] }
  await expect(ada.api.createJointAccount({ params: ada.user, body: owners })).rejects.toMatchObject({ status: 501 })
})

test('unset fields of a user are null, and a user cannot be closed', async () => {
  await using bank = await openBank()
  const ada = await bank.customer()
  const params = { itemId: ada.user.userID }
  const address_main = { street: 'Main Street', city: 'Amsterdam', is_user_address_updated: true }
  await ada.api.updateUserPerson({ params, body: { address_main, tax_resident: [{ country: 'NL', tax_number: '1' }] } })
  const { body } = await ada.api.getUserPerson({ params })
  expect(body.Response[0]?.UserPerson).toMatchObject({
    address_main: { street: 'Main Street', po_box: null, province: null, is_user_address_updated: false },
    address_postal: null,
    alias: [{ service: null }, { service: null }],
    date_of_birth: null,
    place_of_birth: null,
    tax_resident: [{ country: 'NL', tax_number: '1' }],
    relations: [],
    version_terms_of_service: null,
  })
  await expect(ada.api.updateUserPerson({ params, body: { status: 'CANCELLED' } })).rejects.toMatchObject({
    status: 501,
    body: { Error: [{ error_description: expect.stringContaining('CANCELLED') }] },
  })
})
