import { bytes, download, identifier, ignoring, named, Type } from '@icosa/contract'
import { get, IdAnswer, one, post } from '../dialect/contract.ts'
import { headerNames } from '../names.ts'
import { AttachmentShown, AvatarShown, stamps, uuid } from '../shapes/contract.ts'

const text = Type.String()
const file = bytes({ types: ['*/*'], maxBytes: 10 * 1024 ** 2 })
const description = Type.Optional(Type.String({ maxLength: 1_000 }))
const headers = Type.Object({
  [headerNames.attachmentDescription[0]]: description,
  [headerNames.attachmentDescription[1]]: description,
} as { readonly [K in (typeof headerNames.attachmentDescription)[number]]: typeof description })

/** The specification uses the UUID, clients send the number. */
const byEither = (noun: string) => identifier(noun, { pattern: '^([0-9a-f-]{36}|[1-9][0-9]{0,14})$' })
const publicItem = { itemId: byEither('attachment') }

const PublicAttachment = named('AttachmentPublic', {
  uuid: text,
  created: stamps.created,
  updated: stamps.updated,
  attachment: AttachmentShown,
})
const UserAttachment = named('AttachmentUser', { ...stamps, attachment: AttachmentShown })
const Uuid = named('Uuid', { uuid: text })
const Both = named('AttachmentPublicCreated', {
  Response: Type.Array(Type.Object({ Id: named('Id', { id: Type.Integer() }), Uuid })),
})
/** The ignored fields of the specification are read from the file itself. */
const NewImage = ignoring(named('NewImage', { attachment_public_uuid: uuid }), ['content_type', 'height', 'width'])
const extension = true

const account = '/user/{userID}/monetary-account/{monetary-accountID}'

export const attachments = {
  createAccountAttachment: post(`${account}/attachment`, {
    summary: 'Upload a file of up to 10 MiB, to be attached to payments, requests and notes of an account.',
    headers,
    body: file,
    replies: { 200: IdAnswer },
  }),
  getAccountAttachmentContent: get(`${account}/attachment/{attachmentID}/content`, {
    summary: 'Download a file of an account.',
    replies: { 200: download({ types: ['*/*'] }) },
    extension,
  }),
  getUserAttachment: get('/user/{userID}/attachment/{itemId}', {
    summary: "Read the metadata of a user's file.",
    replies: { 200: one('AttachmentUser', UserAttachment) },
  }),
  getUserAttachmentContent: get('/user/{userID}/attachment/{attachmentID}/content', {
    summary: 'Download a file of a user.',
    replies: { 200: download({ types: ['*/*'] }) },
    extension,
  }),
  createPublicAttachment: post('/attachment-public', {
    summary: 'Upload a file of up to 10 MiB that every user of the bank may read, such as an avatar image.',
    headers,
    body: file,
    replies: { 200: Both },
  }),
  getPublicAttachment: get('/attachment-public/{itemId}', {
    summary: 'Read the metadata of a public file.',
    params: publicItem,
    replies: { 200: one('AttachmentPublic', PublicAttachment) },
  }),
  getPublicAttachmentContent: get('/attachment-public/{attachment-publicUUID}/content', {
    summary: 'Download a public file.',
    params: { 'attachment-publicUUID': byEither('attachment') },
    replies: { 200: download({ types: ['*/*'] }) },
    extension,
  }),
  createAvatar: post('/avatar', {
    summary: 'Create an avatar from public files.',
    body: named('NewAvatar', {
      uuid: Type.Optional(uuid),
      anchor_uuid: Type.Optional(Type.String({ maxLength: 100 })),
      image: Type.Optional(Type.Array(NewImage, { maxItems: 10 })),
      style: Type.Optional(Type.String({ maxLength: 100 })),
      attachment_public_uuid: Type.Optional(uuid),
    }),
    replies: { 200: one('Uuid', Uuid) },
  }),
  getAvatar: get('/avatar/{itemId}', {
    summary: 'Read an avatar.',
    params: { itemId: identifier('avatar', { pattern: '^[0-9a-f-]{36}$' }) },
    replies: {
      200: one('Avatar', AvatarShown),
    },
  }),
}
