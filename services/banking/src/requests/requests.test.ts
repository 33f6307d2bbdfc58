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

const request = async (value: string, counterparty_alias = bram.pointer) =>
  idOf(
    await ada.api.createRequestInquiry({
      params: ada.account,
      body: { amount_inquired: euros(value), counterparty_alias, description: 'Rent' },
    }),
  )
const newest = async () => {
  const { body } = await bram.api.listRequestResponses({ params: bram.account })
  return body.Response[0]?.RequestResponse as { id: number; status: string; counterparty_alias: { iban: string } }
}
const respond = (id: number, status: 'ACCEPTED' | 'REJECTED') =>
  bram.api.updateRequestResponse({ params: { ...bram.account, itemId: String(id) }, body: { status } })

test('createRequestInquiry, updateRequestResponse: the recipient pays or rejects once, visible to both sides', async () => {
  const itemId = await request('20.00')
  const received = await newest()
  expect(received).toMatchObject({ status: 'PENDING', counterparty_alias: { iban: ada.pointer.value } })
  const less = { status: 'ACCEPTED', amount_responded: euros('19.00') } as const
  const params = { ...bram.account, itemId: String(received.id) }
  await expect(bram.api.updateRequestResponse({ params, body: less })).rejects.toMatchObject({ status: 400 })
  await respond(received.id, 'ACCEPTED')
  expect([await bank.balance(ada), await bank.balance(bram)]).toEqual(['20.00', '30.00'])
  const { body } = await ada.api.getRequestInquiry({ params: { ...ada.account, itemId } })
  expect(body.Response[0]?.RequestInquiry).toMatchObject({ status: 'ACCEPTED', amount_responded: euros('20.00') })
  await expect(respond(received.id, 'ACCEPTED')).rejects.toMatchObject({ status: 400 })
  await request('5.00')
  await respond((await newest()).id, 'REJECTED')
  expect(await bank.balance(ada)).toBe('20.00')
})

test('a request above the balance cannot be accepted, and stays pending', async () => {
  await request('1000.00')
  const { id } = await newest()
  await expect(respond(id, 'ACCEPTED')).rejects.toMatchObject({ status: 400 })
  expect(await newest()).toMatchObject({ id, status: 'PENDING' })
})

test('updateRequestInquiry: a withdrawn request cannot be paid', async () => {
  const itemId = await request('1.00')
  const { id } = await newest()
  await ada.api.updateRequestInquiry({ params: { ...ada.account, itemId }, body: { status: 'REVOKED' } })
  await expect(respond(id, 'ACCEPTED')).rejects.toMatchObject({ status: 400 })
})

test('createRequestInquiryBatch and updateRequestInquiryBatch: several requests are made and withdrawn together', async () => {
  const inquiry = { amount_inquired: euros('1.00'), counterparty_alias: bram.pointer, description: 'Share' }
  const body = { request_inquiries: [inquiry, inquiry], total_amount_inquired: euros('2.00') }
  const itemId = idOf(await ada.api.createRequestInquiryBatch({ params: ada.account, body }))
  await respond((await newest()).id, 'ACCEPTED')
  const at = { params: { ...ada.account, itemId } }
  await ada.api.updateRequestInquiryBatch({ ...at, body: { status: 'REVOKED' } })
  const { body: batch } = await ada.api.getRequestInquiryBatch(at)
  const statuses = batch.Response[0]?.RequestInquiryBatch.request_inquiries.map(({ status }) => status)
  expect(statuses).toEqual(['REVOKED', 'ACCEPTED'])
})

test('the sugar daddy grants up to 500 euros immediately', async () => {
  const sugar = { type: 'EMAIL', value: 'SugarDaddy@bunq.com', name: '' }
  const before = Number(await bank.balance(ada))
  await request('500.00', sugar)
  expect(Number(await bank.balance(ada)) - before).toBe(500)
  await expect(request('500.01', sugar)).rejects.toMatchObject({ status: 400 })
})

test('allow_bunqme is accepted as allow_vendorme', async () => {
  const body = {
    amount_inquired: euros('1.00'),
    counterparty_alias: bram.pointer,
    description: '',
    allow_bunqme: true,
  } as const
  const itemId = idOf(await ada.api.createRequestInquiry({ params: ada.account, body }))
  const { body: inquiry } = await ada.api.getRequestInquiry({ params: { ...ada.account, itemId } })
  expect(inquiry.Response[0]?.RequestInquiry.allow_vendorme).toBe(true)
})
