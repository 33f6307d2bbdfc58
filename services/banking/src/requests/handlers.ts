import { implement, notFound, type ReadingDb } from '@icosa/kernel'
import { accountNamed } from '../accounts/named.ts'
import { created, found, listed } from '../dialect/reply.ts'
import { writingOf } from '../payments/order.ts'
import type { Record as Kept } from '../records/store.ts'
import type { Amount } from '../shapes/contract.ts'
import { placeIn } from '../shapes/geolocation.ts'
import { momentOf } from '../shapes/moments.ts'
import { type AccountParams, placeOf } from '../shapes/places.ts'
import { answer, ask, revoke } from './ask.ts'
import { requests as contract } from './contract.ts'
import { inquiries, inquiryBatches, responses } from './store.ts'
import { toInquiry, toResponse } from './view.ts'

type Asked = AccountParams & { readonly itemId: string }

const inquiry = async (db: ReadingDb, tenant: string, params: Asked) =>
  (await inquiries.find(db, tenant, placeOf(params), params.itemId)) ?? notFound('request', params.itemId)

const response = async (db: ReadingDb, tenant: string, params: Asked) =>
  (await responses.find(db, tenant, placeOf(params), params.itemId)) ?? notFound('request', params.itemId)

type BatchBody = { readonly inquiries: readonly string[]; readonly total: object }

async function toBatch(db: ReadingDb, tenant: string, { id, body, status, createdAt, updatedAt }: Kept<BatchBody>) {
  const kept = await Promise.all(body.inquiries.map((one) => inquiries.findAny(db, tenant, one)))
  return {
    id: Number(id),
    created: momentOf(createdAt),
    updated: momentOf(updatedAt),
    request_inquiries: kept.flatMap((one) => (one ? toInquiry(one) : [])),
    total_amount_inquired: body.total as Amount,
    status,
  }
}

export const requests = implement(contract, {
  async createRequestInquiry({ params, body, headers }, context) {
    const account = await accountNamed(context.db, context.caller.tenant, params['monetary-accountID'])
    return created(await ask(writingOf(context), account, { ...body, ...placeIn(headers) }))
  },
  async listRequestInquiries({ params, query }, { db, caller }) {
    const rows = await inquiries.list(db, caller.tenant, placeOf(params), query)
    return listed('RequestInquiry', query, rows, toInquiry, ({ id }) => Number(id))
  },
  async getRequestInquiry({ params }, { db, caller }) {
    return found('RequestInquiry', toInquiry(await inquiry(db, caller.tenant, params)))
  },
  async updateRequestInquiry({ params }, context) {
    const { db, caller } = context
    await revoke(writingOf(context), (await inquiry(db, caller.tenant, params)).id)
    return found('RequestInquiry', toInquiry(await inquiry(db, caller.tenant, params)))
  },

  async createRequestInquiryBatch({ params, body }, context) {
    const writing = writingOf(context)
    const { db, tenant, at } = writing
    const account = await accountNamed(db, tenant, params['monetary-accountID'])
    const kept = { status: 'PENDING', body: { inquiries: [], total: body.total_amount_inquired }, at }
    const batch = await inquiryBatches.insert(db, tenant, placeOf(params), kept)
    const asked: string[] = []
    for (const order of body.request_inquiries) asked.push(await ask(writing, account, order, batch))
    await inquiryBatches.update(db, tenant, batch, { body: { inquiries: asked }, at })
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
    const kept = await inquiryBatches.find(db, caller.tenant, placeOf(params), params.itemId)
    return found('RequestInquiryBatch', await toBatch(db, caller.tenant, kept ?? notFound('batch', params.itemId)))
  },
  async updateRequestInquiryBatch({ params, body }, context) {
    const writing = writingOf(context)
    const { db, tenant, at } = writing
    const found = await inquiryBatches.find(db, tenant, placeOf(params), params.itemId)
    const { id, body: kept } = found ?? notFound('batch', params.itemId)
    for (const one of kept.inquiries)
      if ((await inquiries.findAny(db, tenant, one))?.status === 'PENDING') await revoke(writing, one)
    await inquiryBatches.update(db, tenant, id, { status: body.status, at })
    return created(id)
  },

  async listRequestResponses({ params, query }, { db, caller }) {
    const rows = await responses.list(db, caller.tenant, placeOf(params), query)
    return listed('RequestResponse', query, rows, toResponse, ({ id }) => Number(id))
  },
  async getRequestResponse({ params }, { db, caller }) {
    return found('RequestResponse', toResponse(await response(db, caller.tenant, params)))
  },
  async updateRequestResponse({ params, body }, context) {
    const { db, caller } = context
    await answer(writingOf(context), (await response(db, caller.tenant, params)).id, body)
    return found('RequestResponse', toResponse(await response(db, caller.tenant, params)))
  },
})
