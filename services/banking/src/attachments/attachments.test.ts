import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bank, type Customer, euros, idOf, openBank } from '../testing/bank.ts'

let bank: Bank
let ada: Customer

beforeAll(async () => {
  bank = await openBank()
  ada = await bank.customer()
})
afterAll(() => bank[Symbol.asyncDispose]())

const picture = { mediaType: 'image/png', content: new Uint8Array([137, 80, 78, 71, 0, 255]) }

test('a file comes back as it was sent; one of a user is for that user alone', async () => {
  const headers = { 'x-vendor-attachment-description': 'A receipt' }
  const id = idOf(await ada.ask.createAccountAttachment({ params: ada.account, headers, body: picture }))
  const { body } = await ada.ask.getUserAttachment({ params: { ...ada.user, itemId: id } })
  expect(body.Response[0]?.AttachmentUser.attachment).toMatchObject({
    description: 'A receipt',
    content_type: 'image/png',
  })
  const downloaded = await ada.ask.getUserAttachmentContent({ params: { ...ada.user, attachmentID: id } })
  expect(downloaded.body).toEqual(picture.content)
  expect(downloaded.headers.get('content-security-policy')).toContain('sandbox') // its sender chose the type
  const other = await bank.customer()
  await expect(ada.ask.getUserAttachment({ params: { ...other.user, itemId: id } })).rejects.toMatchObject({
    status: 404,
  })
})

test('createAvatar: made of public files, which everybody finds by uuid or number', async () => {
  const { body: made } = await ada.ask.createPublicAttachment({ body: picture })
  const { Id, Uuid } = made.Response[0] as { Id: { id: number }; Uuid: { uuid: string } }
  for (const itemId of [Uuid.uuid, String(Id.id)]) {
    const { body } = await ada.ask.getPublicAttachment({ params: { itemId } })
    expect(body.Response[0]?.AttachmentPublic.uuid).toBe(Uuid.uuid)
  }
  const image = [{ attachment_public_uuid: Uuid.uuid, width: 10, height: 20 }]
  const given = { anchor_uuid: 'mine', style: 'round', image }
  const { body } = await ada.ask.createAvatar({ body: given })
  const itemId = body.Response[0]?.Uuid.uuid as string
  const { body: read } = await ada.ask.getAvatar({ params: { itemId } })
  expect(read.Response[0]?.Avatar).toMatchObject({ uuid: itemId, ...given })
  const missing = { attachment_public_uuid: '00000000-0000-0000-0000-000000000000' }
  await expect(ada.ask.createAvatar({ body: missing })).rejects.toMatchObject({ status: 400 })
})

test('a payment or a request has only files of its own user as attachment', async () => {
  const payer = await bank.customer('10.00')
  const upload = async ({ ask, account }: Customer) => ({
    id: Number(idOf(await ask.createAccountAttachment({ params: account, body: picture }))),
  })
  const [own, foreign] = [await upload(payer), await upload(ada)]
  const shared = { counterparty_alias: ada.pointer, description: 'Tea' }
  const pay = (attachment: { id: number }[]) =>
    payer.ask.createPayment({ params: payer.account, body: { ...shared, amount: euros('1.00'), attachment } })
  const ask = (attachment: { id: number }[]) =>
    payer.ask.createRequestInquiry({
      params: payer.account,
      body: { ...shared, amount_inquired: euros('1.00'), attachment },
    })
  for (const send of [pay, ask]) await expect(send([own, foreign])).rejects.toMatchObject({ status: 400 })
  const itemId = idOf(await pay([own]))
  const { body } = await payer.ask.getPayment({ params: { ...payer.account, itemId } })
  expect(body.Response[0]?.Payment.attachment).toEqual([own])
  await ask([own])
})
