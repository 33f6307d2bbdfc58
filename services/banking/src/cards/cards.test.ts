import { sql } from '@icosa/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bank, type Customer, euros, idOf, openBank } from '../testing/bank.ts'

let bank: Bank
let ada: Customer
let cardID: string

beforeAll(async () => {
  bank = await openBank()
  ada = await bank.customer('100.00')
  const pin = {
    type: 'PRIMARY',
    pin_code: '1234',
    monetary_account_id: Number(ada.account['monetary-accountID']),
  } as const
  const body = { name_on_card: 'A. Bakker', second_line: 'Travel', pin_code_assignment: [pin] }
  cardID = idOf(await ada.api.createCardDebit({ params: ada.user, body }))
})
afterAll(() => bank[Symbol.asyncDispose]())

const update = (body: Parameters<typeof ada.api.updateCard>[0]['body']) =>
  ada.api.updateCard({ params: { ...ada.user, itemId: cardID }, body })
const card = async () =>
  (await ada.api.getCard({ params: { ...ada.user, itemId: cardID } })).body.Response[0]?.CardDebit
const use = async (value: string, more = {}) => {
  const body = { amount: euros(value), description: 'A shop', country: 'NL', ...more }
  const itemId = idOf(await ada.api.authorizeCard({ params: { ...ada.user, cardID }, body }))
  const { body: action } = await ada.api.getMasterCardAction({ params: { ...ada.account, itemId } })
  return { itemId, ...(action.Response[0]?.MasterCardAction as { decision: string; decision_description: string }) }
}

test('createCardDebit, updateCard: a new card is activated by its activation code', async () => {
  expect(await card()).toMatchObject({ name_on_card: 'A. Bakker', second_line: 'Travel', status: 'DEACTIVATED' })
  expect(await use('1.00')).toMatchObject({ decision: 'DECLINED', clearing_status: null })
  await expect(update({ status: 'LOST' }), 'before it was delivered').rejects.toMatchObject({ status: 400 })
  await update({ order_status: 'CARD_REQUEST_PENDING' })
  expect(await card()).toMatchObject({ order_status: 'CARD_REQUEST_PENDING' })
  await expect(update({ status: 'ACTIVE' })).rejects.toMatchObject({ status: 400 })
  await expect(update({ status: 'ACTIVE', activation_code: '999999' })).rejects.toMatchObject({ status: 400 })
  await update({ status: 'ACTIVE', activation_code: cardID.padStart(6, '0') })
  expect(await card()).toMatchObject({ status: 'ACTIVE', order_status: 'DELIVERED_TO_CUSTOMER' })
})

test('PINs are sealed, never returned, and required at ATMs', async () => {
  await update({ pin_code: '4321' })
  expect(JSON.stringify(await card())).not.toContain('4321')
  const rows = await bank.app.platform.database.many<{ pin: Buffer }>(sql`select pin from banking.card_pins`)
  expect(rows.map(({ pin }) => pin.toString('latin1')).join()).not.toContain('4321')
  expect((await use('1.00', { is_atm: true })).decision_description).toContain('PIN is required')
  expect((await use('1.00', { is_atm: true, pin_code: '1234' })).decision_description).toContain('PIN is wrong')
  expect((await use('1.00', { is_atm: true, pin_code: '4321' })).decision).toBe('ALLOWED')
})

test('authorizeCard, settleAuthorization: a reserved amount cannot be spent otherwise, and is captured once', async () => {
  await update({ card_limit: euros('90.00') })
  const { itemId } = await use('80.00')
  const other = await bank.customer()
  const body = { amount: euros('50.00'), counterparty_alias: other.pointer, description: 'Too much' }
  await expect(ada.api.createPayment({ params: ada.account, body })).rejects.toMatchObject({ status: 400 })
  const settle = (status: 'CLEARED' | 'REVERSED') =>
    ada.api.settleAuthorization({ params: { ...ada.user, cardID, itemId }, body: { status } })
  expect((await card())?.monetary_account, 'with the reserved amount').toMatchObject({
    alias: [{ type: 'IBAN', value: ada.pointer.value, service: null }],
    balance: euros('100.00'),
    balance_reserved: euros('81.00'),
    setting: { color: '#00A6A6', icon: null, sdd_expiration_action: 'AUTO_ACCEPT' },
    budget: [],
    reason: null,
    share: null,
    relation_user: null,
  })
  await settle('CLEARED')
  expect(await bank.balance(ada)).toBe('20.00')
  await expect(settle('REVERSED')).rejects.toMatchObject({ status: 400 })
  expect((await use('20.00')).decision_description, 'the daily limit').toContain('limit')
  await bank.app.clock.advance(86_400_000)
  expect((await use('5.00')).decision, 'the next day').toBe('ALLOWED')
})

test('a card works at home and in permitted countries', async () => {
  const abroad = { country: 'US' }
  await bank.app.clock.advance(86_400_000)
  expect((await use('0.10', abroad)).decision).toBe('DECLINED')
  await update({ country_permission: [{ country: 'US' }], card_limit_atm: euros('5.00') })
  const permission = { id: 1, country: 'US', expiry_time: null }
  expect(await card()).toMatchObject({ country_permission: [permission], card_limit_atm: euros('5.00') })
  await update({ country_permission: [{ country: 'DE' }, permission] })
  expect((await card())?.country_permission).toEqual([{ id: 2, country: 'DE', expiry_time: null }, permission])
  const refused = { status: 400 }
  await expect(update({ country_permission: [{ country: 'XX' }] })).rejects.toMatchObject(refused)
  await expect(update({ card_limit: euros('9999999.00') })).rejects.toMatchObject(refused)
  expect((await use('0.10', abroad)).decision).toBe('ALLOWED')
})

test('primary_account_numbers are changed by id or uuid, or added, and never removed', async () => {
  const numbers = async () => (await card())?.primary_account_numbers ?? []
  const [first] = await numbers()
  await update({ primary_account_numbers: [{ id: 1, description: 'renamed' }] })
  expect(await numbers()).toEqual([{ ...first, description: 'renamed' }])
  await update({ primary_account_numbers: [{ description: 'online', type: 'VIRTUAL' }] })
  const [renamed, added] = await numbers()
  expect(renamed).toEqual({ ...first, description: 'renamed' })
  expect(added).toMatchObject({ id: 2, description: 'online', type: 'VIRTUAL', status: 'ACTIVE' })
  await update({ primary_account_numbers: [{ uuid: added?.uuid as string, status: 'INACTIVE' }] })
  expect(await numbers()).toEqual([renamed, { ...added, status: 'INACTIVE' }])
  await expect(update({ primary_account_numbers: [{ id: 7 }] })).rejects.toMatchObject({ status: 400 })
})

test('a cancelled card stays cancelled', async () => {
  await update({ status: 'CANCELLED', cancellation_reason: 'Found another' })
  await expect(update({ status: 'ACTIVE' })).rejects.toMatchObject({ status: 400 })
  expect((await use('0.10')).decision).toBe('DECLINED')
})
