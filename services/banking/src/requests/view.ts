import { shownAmount } from '../accounts/view.ts'
import type { Record as Kept } from '../records/store.ts'
import { momentOf } from '../shapes/moments.ts'
import type { RequestBody } from './store.ts'

const nothingElse = {
  merchant_reference: null as string | null,
  redirect_url: null as string | null,
  minimum_age: null as number | null,
  require_address: null as string | null,
  attachment: [] as { id: number }[],
  time_expiry: null as string | null,
}

function shared({ id, account, status, body, createdAt, updatedAt }: Kept<RequestBody>) {
  return {
    id: Number(id),
    created: momentOf(createdAt),
    updated: momentOf(updatedAt),
    monetary_account_id: Number(account),
    amount_inquired: shownAmount(BigInt(body.amount), body.currency),
    amount_responded: body.responded === null ? null : shownAmount(BigInt(body.responded), body.currency),
    counterparty_alias: body.counterparty,
    description: body.description,
    status,
    time_responded: body.respondedAt,
    ...nothingElse,
    ...body.details,
  }
}

export const toInquiry = (kept: Kept<RequestBody>) => ({
  allow_vendorme: false,
  vendorme_share_url: null,
  address_billing: null,
  address_shipping: null,
  geolocation: null,
  reference_split_the_bill: null,
  ...shared(kept),
  batch_id: kept.body.batch === null ? null : Number(kept.body.batch),
  scheduled_id: null,
  user_alias_created: kept.body.alias.label_user as NonNullable<typeof kept.body.alias.label_user>,
  user_alias_revoked: kept.status === 'REVOKED' ? kept.body.alias.label_user : null,
})

export function toResponse(kept: Kept<RequestBody>) {
  type Own = { readonly allow_vendorme?: boolean; readonly geolocation?: object } // of the one who asks
  const { allow_vendorme, geolocation, ...shown } = shared(kept) as ReturnType<typeof shared> & Own
  return { ...shown, alias: kept.body.alias, type: 'INTERNAL', sub_type: 'NONE', event_id: null }
}
