import { randomBytes } from 'node:crypto'
import { Failure, findTag, implement, invalid, notFound, ok, type Vault } from '@icosa/kernel'
import { find as findAssignment } from '../assignments/store.ts'
import { hasJurisdiction } from '../contributions/jurisdiction.ts'
import { searchContextOf } from '../contributions/search-context.ts'
import { find as findContribution } from '../contributions/store.ts'
import { pageUrl } from '../contributions/view.ts'
import { contributor } from '../dialect/caller.ts'
import { contentOf } from '../events/content.ts'
import { deskUrlOf, isNotice, noticeMail, notices, subscriberMail } from '../events/messages.ts'
import { eventTypes, isEventType } from '../events/types.ts'
import { paged, windowOf } from '../paging/paging.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { ensureUser, findUser } from '../users/store.ts'
import { subscriptions as contract } from './contract.ts'
import * as store from './store.ts'
import { sealedToken } from './token.ts'

const types = Object.entries(eventTypes).map(([id, name]) => ({ id, name }))
const maxPerUser = 100

export const subscriptions = implement<typeof contract, ServiceRuntime>(contract, {
  async listSubscriptions({ query }, { db, caller, tenantVault }) {
    const { rows, total } = await store.listOf(db, caller.tenant, contributor(caller).user, windowOf(query))
    const vault = await tenantVault()
    return paged(
      rows.map((row) => toSubscription(row, vault)),
      total,
      query,
    )
  },

  async createSubscription({ body }, { db, caller, clock, tenantVault, runtime }) {
    const vault = await tenantVault()
    const { tenant } = caller
    const { user, isTenant } = contributor(caller)
    const { email = null, slackChannel = null, url = null, assignment = null } = body
    const unknown = body.types.filter((type) => !isEventType(type))
    if (unknown.length > 0)
      invalid([{ at: 'body/types', message: `must be one or more of ${Object.keys(eventTypes).join(', ')}` }])
    if (email === null && slackChannel === null && url === null)
      invalid([{ at: 'body/email', message: 'is required without slackChannel or url' }])
    if (slackChannel !== null && !/^https?:\/\//.test(slackChannel) && runtime.chatUrl === undefined)
      invalid([
        { at: 'body/slackChannel', message: 'must be the URL of an incoming webhook, since no chat is configured' },
      ])
    if (assignment !== null && !(await findAssignment(db, tenant, assignment)))
      invalid([{ at: 'body/assignment', message: `is not an existing assignment: ${assignment}` }])
    const { includeThumbnail = body.includeThumbenail ?? false, includeThumbenail = includeThumbnail } = body
    if (includeThumbnail !== includeThumbenail)
      invalid([{ at: 'body/includeThumbenail', message: 'contradicts includeThumbnail' }])
    await ensureUser(db, tenant, user, clock.now())
    if ((await store.countOf(db, tenant, user)) >= maxPerUser)
      throw new Failure('invalid', `You already have ${maxPerUser} subscriptions: delete one first.`)
    const secret = `whsec_${randomBytes(24).toString('base64')}`
    const row = {
      user,
      isTenant,
      assignment,
      types: [...new Set(body.types)],
      includeBody: body.includeBody,
      includeThumbnail,
      email,
      slackChannel,
      url,
      token: vault.seal(secret, sealedToken.context),
    }
    return ok(toSubscription(await store.insert(db, tenant, row, clock.now()), vault))
  },

  async deleteSubscription({ params: { id } }, { db, caller }) {
    if (!(await store.remove(db, caller.tenant, contributor(caller).user, id))) notFound('subscription', id)
    return { status: 200, body: undefined }
  },

  listSubscriptionTypes: async () => ok(types),
  listEventTypes: async () => ok(types),

  async previewNotification({ params: { id }, query: { message } }, context) {
    const { db, caller, runtime } = context
    const row = (await findContribution(db, searchContextOf(context), id)) ?? notFound('contribution', id)
    if (!(await hasJurisdiction(context, row)))
      throw new Failure('forbidden', `You may not moderate the contribution '${id}'.`)
    const assignment = await findAssignment(db, caller.tenant, row.assignment)
    const author = await findUser(db, caller.tenant, row.author)
    const content = contentOf(row, assignment?.name ?? '')
    if (isEventType(message)) {
      const deskUrl = deskUrlOf(runtime.publicUrl, await findTag(db, caller.tenant))
      const { subject, html } = subscriberMail(message, content, { includeBody: true, deskUrl })
      return ok({ subject, html })
    }
    if (!isNotice(message)) {
      const messages = [...Object.keys(notices), ...Object.keys(eventTypes)]
      return invalid([{ at: 'query/message', message: `must be one of ${messages.join(', ')}` }])
    }
    const { subject, html } = noticeMail(message, content, {
      name: author?.displayName ?? undefined,
      pageUrl: pageUrl(runtime.publicUrl, caller.tenant, id),
      receiptMessage: assignment?.receiptMessage ?? undefined,
    })
    return ok({ ...(author?.email && { email: author.email }), subject, html })
  },
})

const toSubscription = (row: store.SubscriptionRow, vault: Vault) => ({
  id: row.id,
  user: row.user,
  token: vault.open(row.token, sealedToken.context),
  types: [...row.types],
  includeBody: row.includeBody,
  includeThumbnail: row.includeThumbnail,
  includeThumbenail: row.includeThumbnail,
  ...(row.assignment !== null && { assignment: row.assignment }),
  ...(row.email !== null && { email: row.email }),
  ...(row.slackChannel !== null && { slackChannel: row.slackChannel }),
  ...(row.url !== null && { url: row.url }),
})
