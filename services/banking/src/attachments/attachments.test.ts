import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bank, type Customer, idOf, openBank } from '../testing/bank.ts'

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
  const { body: content } = await ada.ask.getUserAttachmentContent({ params: { ...ada.user, attachmentID: id } })
  expect(content).toEqual(picture.content)
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
