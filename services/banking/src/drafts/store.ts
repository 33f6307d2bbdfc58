import { documentStore, type Stored } from '../documents/store.ts'
import type { OrderBody } from '../payments/order.ts'
import type { Recurrence } from '../schedules/times.ts'
import { toRecurrence } from '../schedules/view.ts'
import type { LabelMonetaryAccount } from '../shapes/contract.ts'
import { momentOf } from '../shapes/moments.ts'

export interface DraftBody {
  readonly entries: readonly OrderBody[]
  readonly alias: LabelMonetaryAccount
  readonly payments: readonly string[]
  /** Absent in drafts of earlier versions. */
  readonly schedule?: Recurrence | null
  readonly scheduled?: readonly string[]
}

export const draftStore = documentStore<DraftBody>('DraftPayment', { PENDING: ['ACCEPTED', 'REJECTED', 'CANCELLED'] })

export function toDraft({ id, account, status, body, createdAt, updatedAt }: Stored<DraftBody>) {
  const creator = body.alias.label_user as NonNullable<LabelMonetaryAccount['label_user']>
  const hasResponse = status === 'ACCEPTED' || status === 'REJECTED'
  return {
    id: Number(id),
    created: momentOf(createdAt),
    updated: momentOf(updatedAt),
    monetary_account_id: Number(account),
    status,
    type: body.entries.length === 1 ? 'SINGLE' : 'BATCH',
    number_of_required_accepts: 1,
    entries: [...body.entries] as never[],
    responses: hasResponse ? [{ status, user_alias_created: creator }] : [],
    user_alias_created: creator,
    schedule: body.schedule ? toRecurrence(body.schedule) : null,
    payments: body.payments.map(Number),
    scheduled_payments: (body.scheduled ?? []).map(Number),
  }
}
