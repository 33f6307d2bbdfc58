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

test('what a caller writes into a body beside the contract is refused by name, and changes nothing', async () => {
  await using bank = await openBank()
  const ada = await bank.customer('10.00')
  const bram = await bank.customer()
  const unknown = (name: string) => ({
    status: 400,
    body: { Error: [{ error_description: expect.stringContaining(`${name} is unknown`) }] },
  })
  const account = { currency: 'EUR', description: 'Rich', balance: euros('1000000.00') }
  await expect(ada.ask.createBankAccount({ params: ada.user, body: account })).rejects.toMatchObject(unknown('balance'))
  const order = { amount: euros('1.00'), counterparty_alias: bram.pointer, description: 'Tea' }
  const forged = { ...order, balance_after_mutation: euros('1000000.00') }
  await expect(ada.ask.createPayment({ params: ada.account, body: forged })).rejects.toMatchObject(
    unknown('balance_after_mutation'),
  )
  const king = { first_name: 'Ada', legal_name: 'The King' }
  await expect(ada.ask.updateUserPerson({ params: { itemId: ada.user.userID }, body: king })).rejects.toMatchObject(
    unknown('legal_name'),
  )
  expect(await bank.balance(ada)).toBe('10.00')
})

test('display_name and setting are shown, a part of setting keeps the rest, and a second owner is refused', async () => {
  await using bank = await openBank()
  const ada = await bank.customer('10.00')
  const bram = await bank.customer()
  const params = { ...ada.user, itemId: ada.account['monetary-accountID'] }
  const change = (body: Parameters<typeof ada.ask.updateBankAccount>[0]['body']) =>
    ada.ask.updateBankAccount({ params, body })
  await change({ display_name: 'The shop', setting: { color: '#aabbcc', sdd_expiration_action: 'AUTO_REJECT' } })
  await change({ setting: { icon: 'STAR' } })
  const { body } = await ada.ask.getBankAccount({ params })
  expect(body.Response[0]?.MonetaryAccountBank).toMatchObject({
    display_name: 'The shop',
    alias: [{ name: 'The shop' }],
    setting: { color: '#aabbcc', icon: 'STAR', sdd_expiration_action: 'AUTO_REJECT' },
    reason: null,
    monetary_account_profile: null,
  })
  const order = { amount: euros('1.00'), counterparty_alias: bram.pointer, description: 'Tea' }
  await ada.ask.createPayment({ params: ada.account, body: order })
  const { body: payments } = await bram.ask.listPayments({ params: bram.account })
  expect(payments.Response[0]?.Payment.counterparty_alias.display_name).toBe('The shop')
  const joint = { currency: 'EUR', description: 'Ours' }
  const itemId = idOf(await ada.ask.createJointAccount({ params: ada.user, body: joint }))
  const { body: read } = await ada.ask.getJointAccount({ params: { ...ada.user, itemId } })
  expect(read.Response[0]?.MonetaryAccountJoint.all_co_owner).toMatchObject([{ status: 'ACCEPTED' }])
  const owners = { ...joint, all_co_owner: [{ alias: bram.pointer }] }
  await expect(ada.ask.createJointAccount({ params: ada.user, body: owners })).rejects.toMatchObject({ status: 501 })
})

test('a user shows null for what it has not said, and is not closed', async () => {
  await using bank = await openBank()
  const ada = await bank.customer()
  const params = { itemId: ada.user.userID }
  const address_main = { street: 'Main Street', city: 'Amsterdam', is_user_address_updated: true }
  await ada.ask.updateUserPerson({ params, body: { address_main, tax_resident: [{ country: 'NL', tax_number: '1' }] } })
  const { body } = await ada.ask.getUserPerson({ params })
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
  await expect(ada.ask.updateUserPerson({ params, body: { status: 'CANCELLED' } })).rejects.toMatchObject({
    status: 501,
    body: { Error: [{ error_description: expect.stringContaining('CANCELLED') }] },
  })
})
