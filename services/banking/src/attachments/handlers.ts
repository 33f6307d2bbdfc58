import { randomUUID } from 'node:crypto'
import type { Bytes } from '@icosa/contract'
import {
  before,
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
} from '@icosa/kernel'
import { found } from '../dialect/reply.ts'
import { headerNames } from '../names.ts'
import { momentOf } from '../shapes/moments.ts'
import { attachments as contract } from './contract.ts'
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

async function keep({ body, headers }: Upload, { db, caller, clock }: Context, uuid: string, user: string | null) {
  const [neutral, original] = headerNames.attachmentDescription
  const description = headers[neutral] ?? headers[original] ?? null
  const { mediaType: contentType, content } = body
  const row = { uuid, user, contentType, description, size: content.length, createdAt: clock.now() }
  return Number(await store.insertAttachment(db, caller.tenant, row))
}

const shown = ({ description, contentType }: store.Attachment) => ({ description, content_type: contentType, urls: [] })
const times = ({ createdAt }: store.Attachment) => ({ created: momentOf(createdAt), updated: momentOf(createdAt) })

/** As a whole, since clients want it signed. */
async function contentOf(blobs: OwnBlobs, { uuid, contentType }: store.Attachment) {
  const { body } = await blobs.get(store.blobKey(uuid))
  return media(contentType, Buffer.concat(await body.toArray()))
}

async function userContent(
  { params }: { params: { readonly userID: string; readonly attachmentID: string } },
  { db, caller, blobs }: ReadingContext,
) {
  const attachment = await store.findAttachment(db, caller.tenant, params.userID, params.attachmentID)
  return contentOf(blobs, attachment ?? notFound('attachment', params.attachmentID))
}

export const attachments = implement(contract, {
  createAccountAttachment: before(put, async (input, context, uuid) =>
    found('Id', { id: await keep(input, context, uuid, input.params.userID) }),
  ),
  getAccountAttachmentContent: userContent,
  async getUserAttachment({ params }, { db, caller }) {
    const attachment = await store.findAttachment(db, caller.tenant, params.userID, params.itemId)
    const one = attachment ?? notFound('attachment', params.itemId)
    return found('AttachmentUser', { id: Number(one.id), ...times(one), attachment: shown(one) })
  },
  getUserAttachmentContent: userContent,

  createPublicAttachment: before(put, async (input, context, uuid) =>
    ok({ Response: [{ Id: { id: await keep(input, context, uuid, null) }, Uuid: { uuid } }] }),
  ),
  async getPublicAttachment({ params }, { db, caller }) {
    const attachment = await store.publicAttachment(db, caller.tenant, params.itemId)
    const one = attachment ?? notFound('attachment', params.itemId)
    return found('AttachmentPublic', { uuid: one.uuid, ...times(one), attachment: shown(one) })
  },
  async getPublicAttachmentContent({ params }, { db, caller, blobs }) {
    const name = params['attachment-publicUUID']
    return contentOf(blobs, (await store.publicAttachment(db, caller.tenant, name)) ?? notFound('attachment', name))
  },

  async createAvatar({ body }, { db, caller }) {
    const { uuid = randomUUID(), anchor_uuid, style, image = [], attachment_public_uuid: single } = body
    const given = single === undefined ? image : [{ attachment_public_uuid: single }]
    const known = await store.publicUuids(
      db,
      caller.tenant,
      given.map((one) => one.attachment_public_uuid),
    )
    const images = given.map((one) => {
      const { attachment_public_uuid: of } = one
      const contentType =
        known.get(of) ?? invalid([{ at: 'body/image', message: `there is no public attachment ${of}` }])
      return { content_type: contentType, ...one }
    })
    const avatar = { uuid, anchor: anchor_uuid ?? null, style: style ?? null, images }
    if (!(await store.insertAvatar(db, caller.tenant, avatar)))
      throw new Failure('invalid', `There is an avatar ${uuid} already.`)
    return found('Uuid', { uuid })
  },
  async getAvatar({ params }, { db, caller }) {
    const avatar = (await store.findAvatar(db, caller.tenant, params.itemId)) ?? notFound('avatar', params.itemId)
    const { uuid, anchor, style, images } = avatar
    return found('Avatar', { uuid, anchor_uuid: anchor, style, image: images })
  },
})
