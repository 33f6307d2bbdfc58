import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bank, type Customer, euros, idOf, openBank } from '../testing/bank.ts'

let bank: Bank
let ada: Customer
let bram: Customer

beforeAll(async () => {
  bank = await openBank()
  ada = await bank.customer()
  bram = await bank.customer('50.00')
})
afterAll(() => bank[Symbol.asyncDispose]())

const ask = async (value: string, counterparty_alias = bram.pointer) =>
  idOf(
    await ada.ask.createRequestInquiry({
      params: ada.account,
      body: { amount_inquired: euros(value), counterparty_alias, description: 'Rent' },
    }),
  )
const newest = async () => {
  const { body } = await bram.ask.listRequestResponses({ params: bram.account })
  return body.Response[0]?.RequestResponse as { id: number; status: string; counterparty_alias: { iban: string } }
}
const answer = (id: number, status: 'ACCEPTED' | 'REJECTED') =>
  bram.ask.updateRequestResponse({ params: { ...bram.account, itemId: String(id) }, body: { status } })

test('createRequestInquiry, updateRequestResponse: who is asked pays or refuses, once, and both see it', async () => {
  const itemId = await ask('20.00')
  const asked = await newest()
  expect(asked).toMatchObject({ status: 'PENDING', counterparty_alias: { iban: ada.pointer.value } })
  const less = { status: 'ACCEPTED', amount_responded: euros('19.00') } as const
  const params = { ...bram.account, itemId: String(asked.id) }
  await expect(bram.ask.updateRequestResponse({ params, body: less })).rejects.toMatchObject({ status: 400 })
  await answer(asked.id, 'ACCEPTED')
  expect([await bank.balance(ada), await bank.balance(bram)]).toEqual(['20.00', '30.00'])
  const { body } = await ada.ask.getRequestInquiry({ params: { ...ada.account, itemId } })
  expect(body.Response[0]?.RequestInquiry).toMatchObject({ status: 'ACCEPTED', amount_responded: euros('20.00') })
  await expect(answer(asked.id, 'ACCEPTED')).rejects.toMatchObject({ status: 400 })
  await ask('5.00')
  await answer((await newest()).id, 'REJECTED')
  expect(await bank.balance(ada)).toBe('20.00')
})

test('what is asked for and not there is not paid, and the request stays open', async () => {
  await ask('1000.00')
  const { id } = await newest()
  await expect(answer(id, 'ACCEPTED')).rejects.toMatchObject({ status: 400 })
  expect(await newest()).toMatchObject({ id, status: 'PENDING' })
})

test('updateRequestInquiry: what was withdrawn cannot be paid', async () => {
  const itemId = await ask('1.00')
  const { id } = await newest()
  await ada.ask.updateRequestInquiry({ params: { ...ada.account, itemId }, body: { status: 'REVOKED' } })
  await expect(answer(id, 'ACCEPTED')).rejects.toMatchObject({ status: 400 })
})

test('createRequestInquiryBatch and updateRequestInquiryBatch: several are asked, and withdrawn together', async () => {
  const request = { amount_inquired: euros('1.00'), counterparty_alias: bram.pointer, description: 'Share' }
  const body = { request_inquiries: [request, request], total_amount_inquired: euros('2.00') }
  const itemId = idOf(await ada.ask.createRequestInquiryBatch({ params: ada.account, body }))
  await answer((await newest()).id, 'ACCEPTED')
  const at = { params: { ...ada.account, itemId } }
  await ada.ask.updateRequestInquiryBatch({ ...at, body: { status: 'REVOKED' } })
  const { body: batch } = await ada.ask.getRequestInquiryBatch(at)
  const statuses = batch.Response[0]?.RequestInquiryBatch.request_inquiries.map(({ status }) => status)
  expect(statuses).toEqual(['REVOKED', 'ACCEPTED'])
})

test('the sugar daddy gives up to 500 euros at once, and no more', async () => {
  const sugar = { type: 'EMAIL', value: 'SugarDaddy@bunq.com', name: '' }
  const before = Number(await bank.balance(ada))
  await ask('500.00', sugar)
  expect(Number(await bank.balance(ada)) - before).toBe(500)
  await expect(ask('500.01', sugar)).rejects.toMatchObject({ status: 400 })
})

test('allow_bunqme is allow_vendorme', async () => {
  const body = {
    amount_inquired: euros('1.00'),
    counterparty_alias: bram.pointer,
    description: '',
    allow_bunqme: true,
  } as const
  const itemId = idOf(await ada.ask.createRequestInquiry({ params: ada.account, body }))
  const { body: read } = await ada.ask.getRequestInquiry({ params: { ...ada.account, itemId } })
  expect(read.Response[0]?.RequestInquiry.allow_vendorme).toBe(true)
})
