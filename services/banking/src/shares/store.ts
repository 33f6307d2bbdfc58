import { type ReadingDb, sql } from '@icosa/kernel'
import { documentStore, type Stored } from '../documents/store.ts'
import { readMoment } from '../shapes/moments.ts'
import type { accessTypes, frequencies } from './contract.ts'

export type Frequency = (typeof frequencies)[number]
export type DetailKind = 'payment' | 'draft_payment' | 'read_only'

export interface Access {
  readonly view_balance: boolean
  readonly view_old_events: boolean
  readonly view_new_events: boolean
  readonly make_draft_payments: boolean
  readonly make_payments: boolean
}

export interface Terms {
  readonly detail: DetailKind
  readonly access: Access
  /** In the smallest unit. */
  readonly budget: { readonly amount: string; readonly frequency: Frequency } | null
  readonly accessType: (typeof accessTypes)[number]
  readonly end: string | null
}

export interface ShareBody extends Terms {
  readonly owner: string
  readonly invitee: string
  /** The id of the other side's document. */
  readonly other: string
  readonly start: string | null
  readonly relationship: string | null
  readonly acceptedAt: string | null
  readonly endedBy: string | null
  /** What the invitee has spent of the budget since a time; in the response. */
  readonly spent?: { readonly since: string; readonly amount: string }
}

const transitions = {
  PENDING: ['ACCEPTED', 'REJECTED', 'REVOKED', 'CANCELLED'],
  ACCEPTED: ['REVOKED', 'CANCELLED'],
}
/** Of the owner; each has a response of the invitee with the same terms. */
export const shareInquiries = documentStore<ShareBody>('ShareInviteInquiry', transitions)
export const shareResponses = documentStore<ShareBody>('ShareInviteResponse', transitions)

export type Share = Stored<ShareBody>

const isPast = (moment: string | null, now: Date) => moment !== null && (readMoment(moment) as Date) <= now
export const hasEnded = ({ body }: Share, now: Date) => isPast(body.end, now)
const isInForce = (share: Share, now: Date) =>
  share.status === 'ACCEPTED' && !hasEnded(share, now) && (share.body.start === null || isPast(share.body.start, now))

const columns = sql`id, user_id as user, account_id as account, parent_id as parent, status, body,
  created_at as "createdAt", updated_at as "updatedAt"`

/** The share by which a user may use the account of another. */
export async function shareOf(
  db: ReadingDb,
  tenant: string,
  { user, account, now }: { readonly user: string; readonly account: string; readonly now: Date },
): Promise<Share | undefined> {
  const rows = await db.many<Share>(sql`
    select ${columns} from banking.records
    where tenant = ${tenant} and kind = 'ShareInviteResponse' and user_id = ${user} and account_id = ${account}
      and status = 'ACCEPTED'`)
  return rows.find((share) => isInForce(share, now))
}

/** The accounts of others whose balance a user may see. */
export async function visibleAccounts(db: ReadingDb, tenant: string, user: string, now: Date): Promise<string[]> {
  const rows = await db.many<Share>(sql`
    select ${columns} from banking.records
    where tenant = ${tenant} and kind = 'ShareInviteResponse' and user_id = ${user} and status = 'ACCEPTED'
    order by id desc limit 1000`)
  return rows
    .filter((share) => isInForce(share, now) && share.body.access.view_balance)
    .map(({ account }) => account as string)
}

/** The invitations to an account that are pending or accepted. */
export const openInquiries = (db: ReadingDb, tenant: string, user: string, account: string): Promise<Share[]> =>
  db.many(sql`
    select ${columns} from banking.records
    where tenant = ${tenant} and kind = 'ShareInviteInquiry' and user_id = ${user} and account_id = ${account}
      and status in ('PENDING', 'ACCEPTED')`)
