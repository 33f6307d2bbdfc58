import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bank, type Customer, euros, idOf, openBank, picture } from '../testing/bank.ts'
import { pictureSize } from './pictures.ts'

let bank: Bank
let ada: Customer

beforeAll(async () => {
  bank = await openBank()
  ada = await bank.customer()
})
afterAll(() => bank[Symbol.asyncDispose]())

test('a file is downloaded as uploaded, and only by its own user', async () => {
  const headers = { 'x-vendor-attachment-description': 'A receipt' }
  const id = idOf(await ada.api.createAccountAttachment({ params: ada.account, headers, body: picture }))
  const { body } = await ada.api.getUserAttachment({ params: { ...ada.user, itemId: id } })
  expect(body.Response[0]?.AttachmentUser.attachment).toMatchObject({
    description: 'A receipt',
    content_type: 'image/png',
  })
  const downloaded = await ada.api.getUserAttachmentContent({ params: { ...ada.user, attachmentID: id } })
  expect(downloaded.body).toEqual(picture.content)
  expect(downloaded.headers.get('content-security-policy')).toContain('sandbox') // the uploader chose the type
  const other = await bank.customer()
  await expect(ada.api.getUserAttachment({ params: { ...other.user, itemId: id } })).rejects.toMatchObject({
    status: 404,
  })
})

test('createAvatar: uses public files, which any user finds by uuid or number', async () => {
  const { body: uploaded } = await ada.api.createPublicAttachment({ body: picture })
  const { Id, Uuid } = uploaded.Response[0] as { Id: { id: number }; Uuid: { uuid: string } }
  for (const itemId of [Uuid.uuid, String(Id.id)]) {
    const { body } = await ada.api.getPublicAttachment({ params: { itemId } })
    expect(body.Response[0]?.AttachmentPublic.uuid).toBe(Uuid.uuid)
  }
  const claimed = { width: 10, height: 20, content_type: 'text/html' }
  const fields = { anchor_uuid: 'mine', style: 'round' }
  const image = [{ attachment_public_uuid: Uuid.uuid, ...claimed }]
  const { body } = await ada.api.createAvatar({ body: { ...fields, image } })
  const itemId = body.Response[0]?.Uuid.uuid as string
  const { body: avatar } = await ada.api.getAvatar({ params: { itemId } })
  const actual = { attachment_public_uuid: Uuid.uuid, content_type: 'image/png', width: 3, height: 2 }
  expect(avatar.Response[0]?.Avatar).toEqual({ uuid: itemId, ...fields, image: [actual] })
  const text = { mediaType: 'text/plain', content: new Uint8Array(Buffer.from('no picture')) }
  const { body: other } = await ada.api.createPublicAttachment({ body: text })
  const unusable = ['00000000-0000-0000-0000-000000000000', other.Response[0]?.Uuid.uuid as string]
  for (const body of [{}, ...unusable.map((attachment_public_uuid) => ({ attachment_public_uuid }))])
    await expect(ada.api.createAvatar({ body })).rejects.toMatchObject({ status: 400 })
})

test('avatar_uuid: an avatar appears on its account, its user and both sides of their payments', async () => {
  const payer = await bank.customer('10.00')
  const { body: uploaded } = await payer.api.createPublicAttachment({ body: picture })
  const avatar = async () => {
    const body = { attachment_public_uuid: uploaded.Response[0]?.Uuid.uuid as string }
    return (await payer.api.createAvatar({ body })).body.Response[0]?.Uuid.uuid as string
  }
  const [ofUser, ofAccount] = [await avatar(), await avatar()]
  const user = { itemId: payer.user.userID }
  const account = { ...payer.user, itemId: payer.account['monetary-accountID'] }
  await payer.api.updateUserPerson({ params: user, body: { avatar_uuid: ofUser } })
  await payer.api.updateBankAccount({ params: account, body: { avatar_uuid: ofAccount } })
  const { body: person } = await payer.api.getUserPerson({ params: user })
  expect(person.Response[0]?.UserPerson.avatar).toMatchObject({ uuid: ofUser, image: [{ width: 3, height: 2 }] })
  const accountView = async () =>
    (await payer.api.getBankAccount({ params: account })).body.Response[0]?.MonetaryAccountBank
  expect(await accountView()).toMatchObject({
    avatar: { uuid: ofAccount },
    setting: { default_avatar_status: 'AVATAR_CUSTOM' },
  })
  const order = { amount: euros('1.00'), counterparty_alias: ada.pointer, description: 'Tea' }
  await payer.api.createPayment({ params: payer.account, body: order })
  const { body: payments } = await ada.api.listPayments({ params: ada.account })
  expect(payments.Response[0]?.Payment.counterparty_alias).toMatchObject({
    avatar: { uuid: ofAccount },
    label_user: { avatar: { uuid: ofUser } },
  })
  const unknown = { avatar_uuid: '00000000-0000-0000-0000-000000000000' }
  const refused = { status: 400 }
  await expect(payer.api.updateUserPerson({ params: user, body: unknown })).rejects.toMatchObject(refused)
  await expect(payer.api.updateBankAccount({ params: account, body: unknown })).rejects.toMatchObject(refused)
  await payer.api.updateBankAccount({ params: account, body: { avatar_uuid: null } })
  expect(await accountView()).toMatchObject({ avatar: null, setting: { default_avatar_status: 'AVATAR_DEFAULT' } })
})

test.each([
  ['PNG', '89504e470d0a1a0a0000000d4948445200000140000000c80802000000', { width: 320, height: 200 }],
  ['GIF', '4749463839610a001400', { width: 10, height: 20 }],
  ['JPEG', 'ffd8ffe000040102ffffc0001108001400200301', { width: 32, height: 20 }],
  ['WebP', '52494646000000005745425056503858000000000000000009000013'.padEnd(60, '0'), { width: 10, height: 20 }],
  ['a PNG that ends too early', '89504e470d0a1a0a0000000d49484452', undefined],
  ['a JPEG without a frame', 'ffd8ffd9', undefined],
  ['something else', '00112233', undefined],
])('pictureSize reads the header of %s', (_, hex, size) => {
  expect(pictureSize(Buffer.from(hex, 'hex'))).toEqual(size)
})

test('a payment or request accepts only attachments of its own user', async () => {
  const payer = await bank.customer('10.00')
  const upload = async ({ api, account }: Customer) => ({
    id: Number(idOf(await api.createAccountAttachment({ params: account, body: picture }))),
  })
  const [own, foreign] = [await upload(payer), await upload(ada)]
  const shared = { counterparty_alias: ada.pointer, description: 'Tea' }
  const pay = (attachment: { id: number }[]) =>
    payer.api.createPayment({ params: payer.account, body: { ...shared, amount: euros('1.00'), attachment } })
  const request = (attachment: { id: number }[]) =>
    payer.api.createRequestInquiry({
      params: payer.account,
      body: { ...shared, amount_inquired: euros('1.00'), attachment },
    })
  for (const send of [pay, request]) await expect(send([own, foreign])).rejects.toMatchObject({ status: 400 })
  const itemId = idOf(await pay([own]))
  const { body } = await payer.api.getPayment({ params: { ...payer.account, itemId } })
  expect(body.Response[0]?.Payment.attachment).toEqual([own])
  await request([own])
})
