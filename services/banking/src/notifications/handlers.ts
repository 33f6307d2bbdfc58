import { type Context, Failure, implement, notFound, type ReadingContext, type ReadingDb } from '@icosa/kernel'
import { asList, itemReply, listed } from '../dialect/reply.ts'
import type { Place, Stored } from '../documents/store.ts'
import { headerNames } from '../names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { momentOf } from '../shapes/moments.ts'
import { placeOf } from '../shapes/places.ts'
import { notifications as contract } from './contract.ts'
import { type Filter, type FilterKind, filterStores, type StoredFilters } from './filters.ts'
import { objectOf } from './objects.ts'
import * as store from './store.ts'

type StoredRow = Stored<StoredFilters>

/** Callbacks have a target; push notifications and mails have only a category. */
const filterList = <K extends FilterKind, T>(kind: K, row: StoredRow | undefined, show: (filter: Filter) => T) =>
  asList(
    kind,
    (row?.body.filters ?? []).map((filter) => ({
      id: Number(row?.id),
      created: momentOf(row?.createdAt as Date),
      updated: momentOf(row?.updatedAt as Date),
      ...show(filter),
    })),
  )
const urlList = (row: StoredRow | undefined) => filterList('NotificationFilterUrl', row, (filter) => filter)
const categoryOf = ({ category }: Filter) => ({ category })

async function filtersAt(
  db: ReadingDb,
  tenant: string,
  place: Place,
  kind: FilterKind = 'NotificationFilterUrl',
): Promise<StoredRow | undefined> {
  const [row] = await filterStores[kind].list(db, tenant, place, { count: 1 })
  return row
}

async function replace(
  { db, caller, clock }: Context,
  place: Place,
  body: StoredFilters,
  kind: FilterKind = 'NotificationFilterUrl',
): Promise<StoredRow | undefined> {
  const { tenant } = caller
  const existing = await filtersAt(db, tenant, place, kind)
  const at = clock.now()
  if (existing) await filterStores[kind].update(db, tenant, existing.id, { body, at })
  else await filterStores[kind].insert(db, tenant, place, { status: 'ACTIVE', body, at })
  return filtersAt(db, tenant, place, kind)
}

/** Filters by category alone. */
const byCategory = (filters: readonly Pick<Filter, 'category'>[]): StoredFilters => ({
  filters: filters.map(({ category }) => ({ category, notification_target: '' })),
  isOriginal: false,
})

const isOriginal = (headers: { readonly [K in (typeof headerNames.authentication)[1]]?: string }) =>
  headers[headerNames.authentication[1]] !== undefined

type EventContext = Pick<ReadingContext<ServiceRuntime>, 'db' | 'caller' | 'clock' | 'tenantVault' | 'runtime'>

async function toEvent({ db, caller, clock, tenantVault, runtime }: EventContext, event: store.Event) {
  const viewContext = { db, tenant: caller.tenant, now: clock.now(), tenantVault, publicUrl: runtime.publicUrl }
  return {
    id: Number(event.eventId),
    created: momentOf(event.createdAt),
    updated: momentOf(event.createdAt),
    action: event.action,
    user_id: event.user,
    monetary_account_id: event.account,
    object: { [event.kind]: (await objectOf(viewContext, event)) ?? {} },
    status: 'FINALIZED',
  }
}

const toPush = (event: store.Event) => ({
  id: Number(event.eventId),
  created: momentOf(event.createdAt),
  updated: momentOf(event.createdAt),
  category: event.category,
  event_type: `${event.category}_${event.action}D`,
  monetary_account_id: Number(event.account),
})

export const notifications = implement<typeof contract, ServiceRuntime>(contract, {
  async setUserFilters({ params, headers, body }, context) {
    const stored = { filters: body.notification_filters, isOriginal: isOriginal(headers) }
    return urlList(await replace(context, { user: params.userID }, stored))
  },
  listUserFilters: async ({ params }, { db, caller }) =>
    urlList(await filtersAt(db, caller.tenant, { user: params.userID })),
  async setAccountFilters({ params, headers, body }, context) {
    const stored = { filters: body.notification_filters, isOriginal: isOriginal(headers) }
    return urlList(await replace(context, placeOf(params), stored))
  },
  listAccountFilters: async ({ params }, { db, caller }) =>
    urlList(await filtersAt(db, caller.tenant, placeOf(params))),

  async setPushFilters({ params, body }, context) {
    const stored = byCategory(body.notification_filters)
    const row = await replace(context, { user: params.userID }, stored, 'NotificationFilterPush')
    return filterList('NotificationFilterPush', row, categoryOf)
  },
  async listPushFilters({ params }, { db, caller }) {
    const row = await filtersAt(db, caller.tenant, { user: params.userID }, 'NotificationFilterPush')
    return filterList('NotificationFilterPush', row, categoryOf)
  },
  async listPushNotifications({ params, query }, { db, caller }) {
    const rows = await store.listPushed(db, caller.tenant, params.userID, query)
    return listed('PushNotification', query, rows, toPush, ({ eventId }) => Number(eventId))
  },
  async setEmailFilters({ params, body }, context) {
    if (!context.runtime.canMail && body.notification_filters.length > 0)
      throw new Failure('invalid', 'This bank sends no mail: ask the operator to set ICOSA_SMTP_URL.')
    const stored = byCategory(body.notification_filters)
    const row = await replace(context, { user: params.userID }, stored, 'NotificationFilterEmail')
    return filterList('NotificationFilterEmail', row, categoryOf)
  },
  async listEmailFilters({ params }, { db, caller }) {
    const row = await filtersAt(db, caller.tenant, { user: params.userID }, 'NotificationFilterEmail')
    return filterList('NotificationFilterEmail', row, categoryOf)
  },

  async listEvents({ params, query }, context) {
    const rows = await store.listEvents(context.db, context.caller.tenant, params.userID, query)
    const views = await Promise.all(rows.map((row) => toEvent(context, row)))
    return listed(
      'Event',
      query,
      views,
      (view) => view,
      ({ id }) => id,
    )
  },
  async getEvent({ params }, context) {
    const event = await store.findEvent(context.db, context.caller.tenant, params.userID, params.itemId)
    return itemReply('Event', await toEvent(context, event ?? notFound('event', params.itemId)))
  },
})
