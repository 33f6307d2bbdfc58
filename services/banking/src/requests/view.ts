import { toAmount } from '../accounts/view.ts'
import type { Stored } from '../documents/store.ts'
import { momentOf } from '../shapes/moments.ts'
import type { RequestBody } from './store.ts'

const noDetails = {
  merchant_reference: null as string | null,
  redirect_url: null as string | null,
  minimum_age: null as number | null,
  require_address: null as string | null,
  attachment: [] as { id: number }[],
  time_expiry: null as string | null,
}

function shared({ id, account, status, body, createdAt, updatedAt }: Stored<RequestBody>) {
  return {
    id: Number(id),
    created: momentOf(createdAt),
    updated: momentOf(updatedAt),
    monetary_account_id: Number(account),
    amount_inquired: toAmount(BigInt(body.amount), body.currency),
    amount_responded: body.responded === null ? null : toAmount(BigInt(body.responded), body.currency),
    counterparty_alias: body.counterparty,
    description: body.description,
    status,
    time_responded: body.respondedAt,
    ...noDetails,
    ...body.details,
  }
}

export const toInquiry = (inquiry: Stored<RequestBody>) => ({
  allow_vendorme: false,
  vendorme_share_url: null,
  address_billing: null,
  address_shipping: null,
  geolocation: null,
  reference_split_the_bill: null,
  ...shared(inquiry),
  batch_id: inquiry.body.batch === null ? null : Number(inquiry.body.batch),
  scheduled_id: null,
  user_alias_created: inquiry.body.alias.label_user as NonNullable<typeof inquiry.body.alias.label_user>,
  user_alias_revoked: inquiry.status === 'REVOKED' ? inquiry.body.alias.label_user : null,
})

export function toResponse(response: Stored<RequestBody>) {
  type Own = { readonly allow_vendorme?: boolean; readonly geolocation?: object } // of the requesting user
  const { allow_vendorme, geolocation, ...fields } = shared(response) as ReturnType<typeof shared> & Own
  return { ...fields, alias: response.body.alias, type: 'INTERNAL', sub_type: 'NONE', event_id: null }
}
