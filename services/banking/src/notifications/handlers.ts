import { type Context, implement, notFound, type ReadingContext, type ReadingDb } from '@icosa/kernel'
import { asList, itemReply, listed } from '../dialect/reply.ts'
import type { Place, Stored } from '../documents/store.ts'
import { headerNames } from '../names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { momentOf } from '../shapes/moments.ts'
import { placeOf } from '../shapes/places.ts'
import { notifications as contract } from './contract.ts'
import { type Filter, filterStore, type StoredFilters } from './filters.ts'
import { objectOf } from './objects.ts'
import * as store from './store.ts'

const filterList = (row: Stored<StoredFilters> | undefined) =>
  asList(
    'NotificationFilterUrl',
    (row?.body.filters ?? []).map((filter) => ({
      id: Number(row?.id),
      created: momentOf(row?.createdAt as Date),
      updated: momentOf(row?.updatedAt as Date),
      ...filter,
    })),
  )

async function filtersAt(db: ReadingDb, tenant: string, place: Place): Promise<Stored<StoredFilters> | undefined> {
  const [row] = await filterStore.list(db, tenant, place, { count: 1 })
  return row
}

async function replace({ db, caller, clock }: Context, place: Place, filters: readonly Filter[], isOriginal: boolean) {
  const { tenant } = caller
  const existing = await filtersAt(db, tenant, place)
  const body = { filters, isOriginal }
  const at = clock.now()
  if (existing) await filterStore.update(db, tenant, existing.id, { body, at })
  else await filterStore.insert(db, tenant, place, { status: 'ACTIVE', body, at })
  return filterList(await filtersAt(db, tenant, place))
}

const isOriginal = (headers: { readonly [K in (typeof headerNames.authentication)[1]]?: string }) =>
  headers[headerNames.authentication[1]] !== undefined

type EventContext = Pick<ReadingContext<ServiceRuntime>, 'db' | 'caller' | 'clock' | 'vault' | 'runtime'>

async function toEvent({ db, caller, clock, vault, runtime }: EventContext, event: store.Event) {
  const viewContext = { db, tenant: caller.tenant, now: clock.now(), vault, publicUrl: runtime.publicUrl }
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

export const notifications = implement<typeof contract, ServiceRuntime>(contract, {
  setUserFilters: ({ params, headers, body }, context) =>
    replace(context, { user: params.userID }, body.notification_filters, isOriginal(headers)),
  listUserFilters: async ({ params }, { db, caller }) =>
    filterList(await filtersAt(db, caller.tenant, { user: params.userID })),
  setAccountFilters: ({ params, headers, body }, context) =>
    replace(context, placeOf(params), body.notification_filters, isOriginal(headers)),
  listAccountFilters: async ({ params }, { db, caller }) =>
    filterList(await filtersAt(db, caller.tenant, placeOf(params))),

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
