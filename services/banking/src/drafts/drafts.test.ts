import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bank, type Customer, euros, idOf, openBank } from '../testing/bank.ts'

let bank: Bank
let ada: Customer
let bram: Customer

beforeAll(async () => {
  bank = await openBank()
  ada = await bank.customer('10.00')
  bram = await bank.customer()
})
afterAll(() => bank[Symbol.asyncDispose]())

test('a draft moves no money until it is accepted, and then once', async () => {
  const entry = (value: string) => ({ amount: euros(value), counterparty_alias: bram.pointer, description: 'Later' })
  const body = { entries: [entry('1.00'), entry('2.00')], number_of_required_accepts: 1 }
  const two = { ...body, number_of_required_accepts: 2 }
  await expect(ada.ask.createDraftPayment({ params: ada.account, body: two })).rejects.toMatchObject({ status: 400 })
  const itemId = idOf(await ada.ask.createDraftPayment({ params: ada.account, body }))
  expect(await bank.balance(bram)).toBe('0.00')
  const accept = () => ada.ask.updateDraftPayment({ params: { ...ada.account, itemId }, body: { status: 'ACCEPTED' } })
  await accept()
  expect(await bank.balance(bram)).toBe('3.00')
  await expect(accept()).rejects.toMatchObject({ status: 400 })
  const { body: read } = await ada.ask.getDraftPayment({ params: { ...ada.account, itemId } })
  expect(read.Response[0]?.DraftPayment).toMatchObject({
    status: 'ACCEPTED',
    type: 'BATCH',
    payments: [{}, {}].map(() => expect.any(Number)),
  })
})
