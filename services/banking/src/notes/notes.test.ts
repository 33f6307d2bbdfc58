import { request } from '@icosa/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bank, type Customer, euros, idOf, openBank } from '../testing/bank.ts'
import { notes, parents } from './contract.ts'

let bank: Bank
let ada: Customer
let paymentID: string

beforeAll(async () => {
  bank = await openBank()
  ada = await bank.customer('10.00')
  const bram = await bank.customer()
  const body = { amount: euros('1.00'), counterparty_alias: bram.pointer, description: 'Tea' }
  paymentID = idOf(await ada.api.createPayment({ params: ada.account, body }))
})
afterAll(() => bank[Symbol.asyncDispose]())

async function call(name: string, params: Record<string, string>, body?: object) {
  const headers = { 'x-vendor-client-authentication': await bank.app.key('bank') }
  const response = await request(
    notes[name] as never,
    { baseUrl: bank.url, headers },
    { params, ...(body && { body }) },
  )
  return {
    status: response.status,
    body: (await response.json()) as { Response: Record<string, Record<string, unknown>>[] },
  }
}

test('each kind of parent has ten operations', () => {
  expect(Object.keys(notes)).toHaveLength(10 * parents.length)
})

test('createNote* and updateNote*: text and file notes of a payment are created, read, changed and deleted', async () => {
  const at = { ...ada.account, paymentID }
  const file = { mediaType: 'text/plain', content: new TextEncoder().encode('receipt') }
  const attachment_id = Number(idOf(await ada.api.createAccountAttachment({ params: ada.account, body: file })))
  const bodies = {
    NoteText: [{ content: 'for the office' }, { content: 'for home' }],
    NoteAttachment: [{ attachment_id }, { attachment_id, description: 'the receipt' }],
  }
  for (const [kind, [first, second]] of Object.entries(bodies)) {
    const created = await call(`create${kind}Payment`, at, first)
    const itemId = String(created.body.Response[0]?.Id?.id)
    await call(`update${kind}Payment`, { ...at, itemId }, second)
    const { body } = await call(`get${kind}Payment`, { ...at, itemId })
    const expected = kind === 'NoteText' ? second : { description: 'the receipt', attachment: [{ id: attachment_id }] }
    expect(body.Response[0]?.[kind]).toMatchObject({ ...expected, label_user_creator: {} })
    expect((await call(`list${kind}Payment`, at)).body.Response).toHaveLength(1)
    expect((await call(`delete${kind}Payment`, { ...at, itemId })).status).toBe(200)
    expect((await call(`get${kind}Payment`, { ...at, itemId })).status).toBe(404)
  }
  expect((await call('createNoteAttachmentPayment', at, { attachment_id: 999 })).status).toBe(400)
  expect((await call('createNoteTextPayment', { ...at, paymentID: '999' }, { content: 'x' })).status).toBe(404)
})
