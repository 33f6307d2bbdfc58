import { randomUUID } from 'node:crypto'
import type { Bytes } from '@icosa/contract'
import {
  type Context,
  Failure,
  implement,
  invalid,
  media,
  notFound,
  type OwnBlobs,
  ok,
  type Preparation,
  type ReadingContext,
  withPreparation,
} from '@icosa/kernel'
import { itemReply } from '../dialect/reply.ts'
import { headerNames } from '../names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { momentOf } from '../shapes/moments.ts'
import { toAvatar } from './avatars.ts'
import { attachments as contract } from './contract.ts'
import { pictureSize } from './pictures.ts'
import * as store from './store.ts'

type DescriptionHeaders = { readonly [K in (typeof headerNames.attachmentDescription)[number]]?: string }
interface Upload {
  readonly body: Bytes
  readonly headers: DescriptionHeaders
}

/** The file is stored before the transaction. */
async function put({ body }: Upload, { blobs }: Preparation): Promise<string> {
  if (body.content.length === 0) invalid([{ at: 'body', message: 'is empty' }])
  const uuid = randomUUID()
  await blobs.put(store.blobKey(uuid), body.content, { contentType: body.mediaType })
  return uuid
}

async function insert({ body, headers }: Upload, { db, caller, clock }: Context, uuid: string, user: string | null) {
  const [neutral, original] = headerNames.attachmentDescription
  const description = headers[neutral] ?? headers[original] ?? null
  const { mediaType: contentType, content } = body
  const row = { uuid, user, contentType, description, size: content.length, createdAt: clock.now() }
  return Number(await store.insertAttachment(db, caller.tenant, row))
}

const toAttachment = ({ description, contentType }: store.Attachment, url: string) => ({
  description,
  content_type: contentType,
  urls: [{ type: 'ORIGINAL', url: `${url}/content` }],
})
const times = ({ createdAt }: store.Attachment) => ({ created: momentOf(createdAt), updated: momentOf(createdAt) })

async function bytesOf(blobs: OwnBlobs, uuid: string): Promise<Buffer> {
  const { body } = await blobs.get(store.blobKey(uuid))
  return Buffer.concat(await body.toArray())
}

/** Sent as a whole, since the response is signed. */
const contentOf = async (blobs: OwnBlobs, { uuid, contentType }: store.Attachment) =>
  media(contentType, await bytesOf(blobs, uuid))

interface AvatarBody {
  readonly image?: readonly { readonly attachment_public_uuid: string }[]
  readonly attachment_public_uuid?: string
}

/** The images of an avatar, with their actual type and size. */
async function readImages({ body }: { readonly body: AvatarBody }, { db, caller, blobs }: Preparation) {
  const { image = [], attachment_public_uuid: single } = body
  const uuids = [...image.map((entry) => entry.attachment_public_uuid), ...(single === undefined ? [] : [single])]
  if (uuids.length === 0) invalid([{ at: 'body/image', message: 'is required: an avatar consists of images' }])
  const types = await store.publicUuids(db, caller.tenant, uuids)
  const images: store.AvatarImage[] = []
  for (const uuid of uuids) {
    const refuse = (message: string) => invalid([{ at: 'body/image', message }])
    const content_type = types.get(uuid) ?? refuse(`there is no public attachment ${uuid}`)
    const size = pictureSize(await bytesOf(blobs, uuid)) ?? refuse(`${uuid} is not a PNG, JPEG, GIF or WebP image`)
    images.push({ attachment_public_uuid: uuid, content_type, ...size })
  }
  return images
}

async function userContent(
  { params }: { params: { readonly userID: string; readonly attachmentID: string } },
  { db, caller, blobs }: ReadingContext,
) {
  const attachment = await store.findAttachment(db, caller.tenant, params.userID, params.attachmentID)
  return contentOf(blobs, attachment ?? notFound('attachment', params.attachmentID))
}

export const attachments = implement<typeof contract, ServiceRuntime>(contract, {
  createAccountAttachment: withPreparation(put, async (input, context, uuid) =>
    itemReply('Id', { id: await insert(input, context, uuid, input.params.userID) }),
  ),
  getAccountAttachmentContent: userContent,
  async getUserAttachment({ params }, { db, caller, runtime }) {
    const row = await store.findAttachment(db, caller.tenant, params.userID, params.itemId)
    const attachment = row ?? notFound('attachment', params.itemId)
    const url = `${runtime.publicUrl}/v1/user/${params.userID}/attachment/${attachment.id}`
    return itemReply('AttachmentUser', {
      id: Number(attachment.id),
      ...times(attachment),
      attachment: toAttachment(attachment, url),
    })
  },
  getUserAttachmentContent: userContent,

  createPublicAttachment: withPreparation(put, async (input, context, uuid) =>
    ok({ Response: [{ Id: { id: await insert(input, context, uuid, null) }, Uuid: { uuid } }] }),
  ),
  async getPublicAttachment({ params }, { db, caller, runtime }) {
    const row = await store.publicAttachment(db, caller.tenant, params.itemId)
    const attachment = row ?? notFound('attachment', params.itemId)
    const { uuid } = attachment
    const url = `${runtime.publicUrl}/v1/attachment-public/${uuid}`
    return itemReply('AttachmentPublic', { uuid, ...times(attachment), attachment: toAttachment(attachment, url) })
  },
  async getPublicAttachmentContent({ params }, { db, caller, blobs }) {
    const name = params['attachment-publicUUID']
    return contentOf(blobs, (await store.publicAttachment(db, caller.tenant, name)) ?? notFound('attachment', name))
  },

  createAvatar: withPreparation(readImages, async ({ body }, { db, caller }, images) => {
    const { uuid = randomUUID(), anchor_uuid: anchor = null, style = null } = body
    if (!(await store.insertAvatar(db, caller.tenant, { uuid, anchor, style, images })))
      throw new Failure('invalid', `The avatar ${uuid} already exists.`)
    return itemReply('Uuid', { uuid })
  }),
  async getAvatar({ params }, { db, caller }) {
    const avatar = (await store.findAvatar(db, caller.tenant, params.itemId)) ?? notFound('avatar', params.itemId)
    return itemReply('Avatar', toAvatar(avatar))
  },
})
