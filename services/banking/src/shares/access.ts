import type { Operation } from '@icosa/contract'
import { notFound, type ReadingDb } from '@icosa/kernel'
import { existingAccount } from '../accounts/existing.ts'
import type { Window } from '../payments/store.ts'
import { readMoment } from '../shapes/moments.ts'
import type { AccountParams } from '../shapes/places.ts'
import { type Access, shareOf } from './store.ts'

const at = '/user/{userID}/monetary-account/{monetary-accountID}'
const seesEvents = ({ view_old_events, view_new_events }: Access) => view_old_events || view_new_events
const drafts = ({ make_draft_payments }: Access) => make_draft_payments

/** What an invitee may do below an account, and the access that it requires. Everything else is the owner's. */
const shared: Readonly<Record<string, (access: Access) => boolean>> = {
  [`GET ${at}/payment`]: seesEvents,
  [`GET ${at}/payment/{itemId}`]: seesEvents,
  [`POST ${at}/payment`]: ({ make_payments }) => make_payments,
  [`POST ${at}/draft-payment`]: drafts,
  [`GET ${at}/draft-payment`]: drafts,
  [`GET ${at}/draft-payment/{itemId}`]: drafts,
}

export async function mayShare(
  db: ReadingDb,
  tenant: string,
  { method, path }: Operation,
  place: { readonly user: string; readonly account: string; readonly now: Date },
): Promise<boolean> {
  const isGranted = shared[`${method} ${path}`]
  const share = isGranted && (await shareOf(db, tenant, place))
  return share !== undefined && isGranted?.(share.body.access) === true
}

/** The times of the payments that a user may see; undefined for the owner, who sees all. */
export async function visibleWindow(
  db: ReadingDb,
  tenant: string,
  params: AccountParams,
  now: Date,
): Promise<Window | undefined> {
  const { userID: user, 'monetary-accountID': account } = params
  if ((await existingAccount(db, tenant, account)).user === user) return undefined
  const { body } = (await shareOf(db, tenant, { user, account, now })) ?? notFound('monetary account', account)
  const accepted = readMoment(body.acceptedAt as string)
  const { view_old_events, view_new_events } = body.access
  return { from: view_old_events ? undefined : accepted, to: view_new_events ? undefined : accepted }
}
