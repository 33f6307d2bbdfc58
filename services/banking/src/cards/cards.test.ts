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
  cardID = idOf(await ada.ask.createCardDebit({ params: ada.user, body }))
})
afterAll(() => bank[Symbol.asyncDispose]())

const update = (body: Parameters<typeof ada.ask.updateCard>[0]['body']) =>
  ada.ask.updateCard({ params: { ...ada.user, itemId: cardID }, body })
const card = async () =>
  (await ada.ask.getCard({ params: { ...ada.user, itemId: cardID } })).body.Response[0]?.CardDebit
const use = async (value: string, more = {}) => {
  const body = { amount: euros(value), description: 'A shop', country: 'NL', ...more }
  const itemId = idOf(await ada.ask.authorizeCard({ params: { ...ada.user, cardID }, body }))
  const { body: answer } = await ada.ask.getMasterCardAction({ params: { ...ada.account, itemId } })
  return { itemId, ...(answer.Response[0]?.MasterCardAction as { decision: string; decision_description: string }) }
}

test('createCardDebit, updateCard: a new card is activated by the code that came with it', async () => {
  expect(await card()).toMatchObject({ name_on_card: 'A. Bakker', second_line: 'Travel', status: 'DEACTIVATED' })
  expect((await use('1.00')).decision).toBe('DECLINED')
  await expect(update({ status: 'ACTIVE' })).rejects.toMatchObject({ status: 400 })
  await expect(update({ status: 'ACTIVE', activation_code: '999999' })).rejects.toMatchObject({ status: 400 })
  await update({ status: 'ACTIVE', activation_code: cardID.padStart(6, '0') })
  expect(await card()).toMatchObject({ status: 'ACTIVE', order_status: 'DELIVERED_TO_CUSTOMER' })
})

test('PINs are sealed: nobody reads them, and a machine asks for them', async () => {
  await update({ pin_code: '4321' })
  expect(JSON.stringify(await card())).not.toContain('4321')
  const rows = await bank.app.platform.database.many<{ pin: Buffer }>(sql`select pin from banking.card_pins`)
  expect(rows.map(({ pin }) => pin.toString('latin1')).join()).not.toContain('4321')
  expect((await use('1.00', { is_atm: true })).decision_description).toContain('asks for the PIN')
  expect((await use('1.00', { is_atm: true, pin_code: '1234' })).decision_description).toContain('PIN is wrong')
  expect((await use('1.00', { is_atm: true, pin_code: '4321' })).decision).toBe('ALLOWED')
})

test('authorizeCard, settleAuthorization: what is reserved cannot be spent otherwise, and is taken once', async () => {
  await update({ card_limit: euros('90.00') })
  const { itemId } = await use('80.00')
  const other = await bank.customer()
  const body = { amount: euros('50.00'), counterparty_alias: other.pointer, description: 'Too much' }
  await expect(ada.ask.createPayment({ params: ada.account, body })).rejects.toMatchObject({ status: 400 })
  const settle = (status: 'CLEARED' | 'REVERSED') =>
    ada.ask.settleAuthorization({ params: { ...ada.user, cardID, itemId }, body: { status } })
  await settle('CLEARED')
  expect(await bank.balance(ada)).toBe('20.00')
  await expect(settle('REVERSED')).rejects.toMatchObject({ status: 400 })
  expect((await use('20.00')).decision_description, 'the limit of the day').toContain('limit')
  await bank.app.clock.advance(86_400_000)
  expect((await use('5.00')).decision, 'the next day').toBe('ALLOWED')
})

test('a card works at home and where it may', async () => {
  const abroad = { country: 'US' }
  await bank.app.clock.advance(86_400_000)
  expect((await use('0.10', abroad)).decision).toBe('DECLINED')
  await update({ country_permission: [{ country: 'US' }], card_limit_atm: euros('5.00') })
  expect(await card()).toMatchObject({ country_permission: [{ country: 'US' }], card_limit_atm: euros('5.00') })
  expect((await use('0.10', abroad)).decision).toBe('ALLOWED')
})

test('a card that was cancelled stays so', async () => {
  await update({ status: 'CANCELLED', cancellation_reason: 'Found another' })
  await expect(update({ status: 'ACTIVE' })).rejects.toMatchObject({ status: 400 })
  expect((await use('0.10')).decision).toBe('DECLINED')
})
