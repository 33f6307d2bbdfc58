import { implement, notFound, type ReadingDb } from '@icosa/kernel'
import { existingAccount } from '../accounts/existing.ts'
import { created, itemReply, listed } from '../dialect/reply.ts'
import type { Stored } from '../documents/store.ts'
import { writingOf } from '../payments/order.ts'
import type { Amount } from '../shapes/contract.ts'
import { placeIn } from '../shapes/geolocation.ts'
import { momentOf } from '../shapes/moments.ts'
import { type AccountParams, placeOf } from '../shapes/places.ts'
import { requests as contract } from './contract.ts'
import { requestMoney, respond, revoke } from './request-money.ts'
import { inquiries, inquiryBatches, responses } from './store.ts'
import { toInquiry, toResponse } from './view.ts'

type ItemParams = AccountParams & { readonly itemId: string }

const inquiryOf = async (db: ReadingDb, tenant: string, params: ItemParams) =>
  (await inquiries.find(db, tenant, placeOf(params), params.itemId)) ?? notFound('request', params.itemId)

const responseOf = async (db: ReadingDb, tenant: string, params: ItemParams) =>
  (await responses.find(db, tenant, placeOf(params), params.itemId)) ?? notFound('request', params.itemId)

type BatchBody = { readonly inquiries: readonly string[]; readonly total: object }

async function toBatch(db: ReadingDb, tenant: string, { id, body, status, createdAt, updatedAt }: Stored<BatchBody>) {
  const rows = await Promise.all(body.inquiries.map((inquiry) => inquiries.findAny(db, tenant, inquiry)))
  return {
    id: Number(id),
    created: momentOf(createdAt),
    updated: momentOf(updatedAt),
    request_inquiries: rows.flatMap((row) => (row ? toInquiry(row) : [])),
    total_amount_inquired: body.total as Amount,
    status,
  }
}

export const requests = implement(contract, {
  async createRequestInquiry({ params, body, headers }, context) {
    const account = await existingAccount(context.db, context.caller.tenant, params['monetary-accountID'])
    return created(await requestMoney(writingOf(context), account, { ...body, ...placeIn(headers) }))
  },
  async listRequestInquiries({ params, query }, { db, caller }) {
    const rows = await inquiries.list(db, caller.tenant, placeOf(params), query)
    return listed('RequestInquiry', query, rows, toInquiry, ({ id }) => Number(id))
  },
  async getRequestInquiry({ params }, { db, caller }) {
    return itemReply('RequestInquiry', toInquiry(await inquiryOf(db, caller.tenant, params)))
  },
  async updateRequestInquiry({ params }, context) {
    const { db, caller } = context
    await revoke(writingOf(context), (await inquiryOf(db, caller.tenant, params)).id)
    return itemReply('RequestInquiry', toInquiry(await inquiryOf(db, caller.tenant, params)))
  },

  async createRequestInquiryBatch({ params, body }, context) {
    const writing = writingOf(context)
    const { db, tenant, at } = writing
    const account = await existingAccount(db, tenant, params['monetary-accountID'])
    const row = { status: 'PENDING', body: { inquiries: [], total: body.total_amount_inquired }, at }
    const batch = await inquiryBatches.insert(db, tenant, placeOf(params), row)
    const ids: string[] = []
    for (const order of body.request_inquiries) ids.push(await requestMoney(writing, account, order, batch))
    await inquiryBatches.update(db, tenant, batch, { body: { inquiries: ids }, at })
    return created(batch)
  },
  async listRequestInquiryBatches({ params, query }, { db, caller }) {
    const rows = await inquiryBatches.list(db, caller.tenant, placeOf(params), query)
    const views = await Promise.all(rows.map((row) => toBatch(db, caller.tenant, row)))
    return listed(
      'RequestInquiryBatch',
      query,
      views,
      (view) => view,
      ({ id }) => id,
    )
  },
  async getRequestInquiryBatch({ params }, { db, caller }) {
    const batch = await inquiryBatches.find(db, caller.tenant, placeOf(params), params.itemId)
    return itemReply('RequestInquiryBatch', await toBatch(db, caller.tenant, batch ?? notFound('batch', params.itemId)))
  },
  async updateRequestInquiryBatch({ params, body }, context) {
    const writing = writingOf(context)
    const { db, tenant, at } = writing
    const row = await inquiryBatches.find(db, tenant, placeOf(params), params.itemId)
    const batch = row ?? notFound('batch', params.itemId)
    for (const inquiry of batch.body.inquiries)
      if ((await inquiries.findAny(db, tenant, inquiry))?.status === 'PENDING') await revoke(writing, inquiry)
    await inquiryBatches.update(db, tenant, batch.id, { status: body.status, at })
    return created(batch.id)
  },

  async listRequestResponses({ params, query }, { db, caller }) {
    const rows = await responses.list(db, caller.tenant, placeOf(params), query)
    return listed('RequestResponse', query, rows, toResponse, ({ id }) => Number(id))
  },
  async getRequestResponse({ params }, { db, caller }) {
    return itemReply('RequestResponse', toResponse(await responseOf(db, caller.tenant, params)))
  },
  async updateRequestResponse({ params, body }, context) {
    const { db, caller } = context
    await respond(writingOf(context), (await responseOf(db, caller.tenant, params)).id, body)
    return itemReply('RequestResponse', toResponse(await responseOf(db, caller.tenant, params)))
  },
})
