import { type Context, Failure, implement, invalid, lockName, notFound, type ReadingDb } from '@icosa/kernel'
import { existingAccount } from '../accounts/existing.ts'
import { created, itemReply, listed } from '../dialect/reply.ts'
import { publish } from '../notifications/publish.ts'
import { writingOf } from '../payments/order.ts'
import { destinationOf, type Writing } from '../payments/pay.ts'
import { momentOf } from '../shapes/moments.ts'
import { placeOf } from '../shapes/places.ts'
import { shares as contract } from './contract.ts'
import { hasEnded, openInquiries, type Share, type ShareBody, shareInquiries, shareResponses } from './store.ts'
import { accessIn, refuseMutual, timeIn } from './terms.ts'
import { toShareInquiry, toShareResponse } from './view.ts'

const maxOpen = 50

const viewContext = ({ db, caller, clock }: Pick<Context, 'caller' | 'clock'> & { readonly db: ReadingDb }) => ({
  db,
  tenant: caller.tenant,
  now: clock.now(),
})

async function existingResponse(db: ReadingDb, tenant: string, { body }: Share): Promise<Share> {
  return (await shareResponses.findAny(db, tenant, body.other)) ?? notFound('invitation', body.other)
}

/** Tells both sides. */
async function announce(writing: Writing, inquiry: string, { body, account }: Share, action: 'CREATE' | 'UPDATE') {
  const shared = { account: account as string, category: 'SHARE', action }
  await publish(writing, [
    { ...shared, user: body.owner, kind: 'ShareInviteBankInquiry', id: inquiry },
    { ...shared, user: body.invitee, kind: 'ShareInviteBankResponse', id: body.other },
  ])
}

interface Change {
  readonly status?: string | undefined
  readonly body: Partial<ShareBody>
}

/** Changes both documents of a share. All changes lock the inquiry first. */
async function change(writing: Writing, inquiry: Share, { status, body }: Change): Promise<void> {
  const { db, tenant, at } = writing
  await shareInquiries.update(db, tenant, inquiry.id, { status, body, at })
  await shareResponses.update(db, tenant, inquiry.body.other, { status, body, at })
  await announce(writing, inquiry.id, inquiry, 'UPDATE')
}

async function lockOpen({ db, tenant, at }: Writing, id: string): Promise<Share> {
  const inquiry = (await shareInquiries.lock(db, tenant, id)) ?? notFound('invitation', id)
  if (hasEnded(inquiry, at)) throw new Failure('invalid', 'The invitation has expired.')
  if (inquiry.status !== 'PENDING' && inquiry.status !== 'ACCEPTED')
    throw new Failure('invalid', `The invitation was already ${inquiry.status.toLowerCase()}.`)
  return inquiry
}

export const shares = implement(contract, {
  async createShareInquiry({ params, body }, context) {
    const writing = writingOf(context)
    const { db, tenant, at } = writing
    refuseMutual(body)
    const account = await existingAccount(db, tenant, params['monetary-accountID'])
    const { account: theirs } = await destinationOf(db, tenant, body.counter_user_alias)
    const invitee = theirs?.user
    if (invitee === undefined || invitee === account.user)
      return invalid([{ at: 'body/counter_user_alias', message: 'must be another user of this bank' }])
    const granted = accessIn(account, body as never)
    const start = timeIn(body.start_date, 'start_date')
    const end = timeIn(body.end_date, 'end_date', at)
    await lockName(db, `banking shares ${tenant} ${account.id}`)
    const open = (await openInquiries(db, tenant, account.user, account.id)).filter((share) => !hasEnded(share, at))
    if (open.some((share) => share.body.invitee === invitee))
      throw new Failure('invalid', 'The user has already been invited to this account: change that invitation.')
    if (open.length >= maxOpen) throw new Failure('invalid', `An account is shared with at most ${maxOpen} users.`)
    const relationship = body.relationship ?? null
    const terms = { ...granted, owner: account.user, invitee, start, end, relationship }
    const share: ShareBody = { ...terms, other: '', acceptedAt: null, endedBy: null }
    const row = (other: string) => ({ status: 'PENDING', body: { ...share, other }, at })
    const id = await shareInquiries.insert(db, tenant, placeOf(params), row(''))
    const response = await shareResponses.insert(db, tenant, { user: invitee, account: account.id }, row(id))
    await shareInquiries.update(db, tenant, id, { body: { other: response }, at })
    await announce(writing, id, (await shareInquiries.findAny(db, tenant, id)) as Share, 'CREATE')
    return created(id)
  },
  async listShareInquiries({ params, query }, context) {
    const { db, caller } = context
    const rows = await shareInquiries.list(db, caller.tenant, placeOf(params), query)
    const views = await Promise.all(
      rows.map(async (row) =>
        toShareInquiry(viewContext(context), row, await existingResponse(db, caller.tenant, row)),
      ),
    )
    return listed(
      'ShareInviteMonetaryAccountInquiry',
      query,
      views,
      (view) => view,
      ({ id }) => id,
    )
  },
  async getShareInquiry({ params }, context) {
    const { db, caller } = context
    const inquiry = await shareInquiries.find(db, caller.tenant, placeOf(params), params.itemId)
    const share = inquiry ?? notFound('invitation', params.itemId)
    const response = await existingResponse(db, caller.tenant, share)
    return itemReply('ShareInviteMonetaryAccountInquiry', await toShareInquiry(viewContext(context), share, response))
  },
  async updateShareInquiry({ params, body }, context) {
    const writing = writingOf(context)
    const { db, tenant, at } = writing
    refuseMutual(body)
    const own = await shareInquiries.find(db, tenant, placeOf(params), params.itemId)
    const inquiry = await lockOpen(writing, (own ?? notFound('invitation', params.itemId)).id)
    await refuseOther(db, tenant, inquiry, body.counter_user_alias)
    // Clients repeat the status that they have read.
    const status = body.status === inquiry.status ? undefined : body.status
    if (status === 'PENDING' || status === 'ACCEPTED')
      invalid([{ at: 'body/status', message: 'only the invited user can accept an invitation' }])
    const isGranting = body.access_type !== undefined || body.share_detail !== undefined
    const account = await existingAccount(db, tenant, params['monetary-accountID'])
    await change(writing, inquiry, {
      status,
      body: {
        ...(isGranting && accessIn(account, body as never)),
        ...(body.end_date !== undefined && { end: timeIn(body.end_date, 'end_date', at) }),
        ...(status && { endedBy: params.userID }),
      },
    })
    return created(inquiry.id)
  },

  async listShareResponses({ params, query }, context) {
    const rows = await shareResponses.listOfUser(context.db, context.caller.tenant, params.userID, {
      count: 10,
      ...query,
    })
    const views = await Promise.all(rows.map((row) => toShareResponse(viewContext(context), row)))
    return listed(
      'ShareInviteMonetaryAccountResponse',
      query,
      views,
      (view) => view,
      ({ id }) => id,
    )
  },
  async getShareResponse({ params }, context) {
    const response = await ownResponse(context.db, context.caller.tenant, params)
    return itemReply('ShareInviteMonetaryAccountResponse', await toShareResponse(viewContext(context), response))
  },
  async updateShareResponse({ params, body: { status } }, context) {
    const writing = writingOf(context)
    const response = await ownResponse(writing.db, writing.tenant, params)
    const inquiry = await lockOpen(writing, response.body.other)
    if ((status === 'CANCELLED') !== (inquiry.status === 'ACCEPTED'))
      throw new Failure('invalid', `The invitation is ${inquiry.status.toLowerCase()}.`)
    const body = status === 'ACCEPTED' ? { acceptedAt: momentOf(writing.at) } : { endedBy: params.userID }
    await change(writing, inquiry, { status, body })
    return created(response.id)
  },
})

async function ownResponse(
  db: ReadingDb,
  tenant: string,
  params: { readonly userID: string; readonly itemId: string },
) {
  const response = await shareResponses.findAny(db, tenant, params.itemId)
  return response?.user === params.userID ? response : notFound('invitation', params.itemId)
}

async function refuseOther(
  db: ReadingDb,
  tenant: string,
  { body }: Share,
  alias?: Parameters<typeof destinationOf>[2],
) {
  const { account } = alias ? await destinationOf(db, tenant, alias) : { account: undefined }
  if (alias && account?.user !== body.invitee)
    invalid([{ at: 'body/counter_user_alias', message: 'is not the invited user: make another invitation' }])
}
