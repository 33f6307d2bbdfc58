import { type Context, implement, notFound, type ReadingContext, type ReadingDb } from '@icosa/kernel'
import { asList, found, listed } from '../dialect/reply.ts'
import { headerNames } from '../names.ts'
import type { Record as Kept, Place } from '../records/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { momentOf } from '../shapes/moments.ts'
import { placeOf } from '../shapes/places.ts'
import { notifications as contract } from './contract.ts'
import { type Filter, filterRecords, type KeptFilters } from './filters.ts'
import { objectOf } from './objects.ts'
import * as store from './store.ts'

const shown = (kept: Kept<KeptFilters> | undefined) =>
  asList(
    'NotificationFilterUrl',
    (kept?.body.filters ?? []).map((filter) => ({
      id: Number(kept?.id),
      created: momentOf(kept?.createdAt as Date),
      updated: momentOf(kept?.updatedAt as Date),
      ...filter,
    })),
  )

async function filtersAt(db: ReadingDb, tenant: string, place: Place): Promise<Kept<KeptFilters> | undefined> {
  const [kept] = await filterRecords.list(db, tenant, place, { count: 1 })
  return kept
}

async function replace({ db, caller, clock }: Context, place: Place, filters: readonly Filter[], isOriginal: boolean) {
  const { tenant } = caller
  const kept = await filtersAt(db, tenant, place)
  const body = { filters, isOriginal }
  const at = clock.now()
  if (kept) await filterRecords.update(db, tenant, kept.id, { body, at })
  else await filterRecords.insert(db, tenant, place, { status: 'ACTIVE', body, at })
  return shown(await filtersAt(db, tenant, place))
}

const isOriginal = (headers: { readonly [K in (typeof headerNames.authentication)[1]]?: string }) =>
  headers[headerNames.authentication[1]] !== undefined

type Showing = Pick<ReadingContext<ServiceRuntime>, 'db' | 'caller' | 'clock' | 'vault' | 'runtime'>

async function toEvent({ db, caller, clock, vault, runtime }: Showing, event: store.Event) {
  const reading = { db, tenant: caller.tenant, now: clock.now(), vault, publicUrl: runtime.publicUrl }
  return {
    id: Number(event.eventId),
    created: momentOf(event.createdAt),
    updated: momentOf(event.createdAt),
    action: event.action,
    user_id: event.user,
    monetary_account_id: event.account,
    object: { [event.kind]: (await objectOf(reading, event)) ?? {} },
    status: 'FINALIZED',
  }
}

export const notifications = implement<typeof contract, ServiceRuntime>(contract, {
  setUserFilters: ({ params, headers, body }, context) =>
    replace(context, { user: params.userID }, body.notification_filters, isOriginal(headers)),
  listUserFilters: async ({ params }, { db, caller }) =>
    shown(await filtersAt(db, caller.tenant, { user: params.userID })),
  setAccountFilters: ({ params, headers, body }, context) =>
    replace(context, placeOf(params), body.notification_filters, isOriginal(headers)),
  listAccountFilters: async ({ params }, { db, caller }) => shown(await filtersAt(db, caller.tenant, placeOf(params))),

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
    return found('Event', await toEvent(context, event ?? notFound('event', params.itemId)))
  },
})
