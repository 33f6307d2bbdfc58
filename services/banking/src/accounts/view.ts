import { formatAmount } from '../ledger/money.ts'
import type { Balance } from '../ledger/store.ts'
import type { Amount, LabelMonetaryAccount, Pointer } from '../shapes/contract.ts'
import { momentOf } from '../shapes/moments.ts'
import type { MonetaryAccountShown } from './contract.ts'
import { bic } from './iban.ts'
import type { Account } from './store.ts'

export const toAmount = (amount: bigint, currency: string): Amount => ({
  value: formatAmount(amount, currency),
  currency,
})

export const labelOfUser = ({ userName, userUuid, nickName, userAvatar }: Account) => ({
  uuid: userUuid,
  display_name: userName,
  country: 'NL',
  avatar: userAvatar,
  public_nick_name: nickName,
})

const noDetails = {
  avatar: null,
  vendor_me: null,
  is_light: false,
  swift_account_number: null,
  transferprovider_account_number: null,
  transferprovider_bank_code: null,
  merchant_category_code: null,
}

const nameOf = ({ details, userName }: Account) => details.display_name ?? userName

/** An account as the counterparty of a payment sees it. */
export const labelOf = (account: Account): LabelMonetaryAccount => ({
  ...noDetails,
  avatar: account.details.avatar ?? null,
  iban: account.iban,
  display_name: nameOf(account),
  label_user: labelOfUser(account),
  country: 'NL',
  swift_bic: bic,
})

/** An account at another bank, or the bank itself. */
export const labelOfOther = (
  { value, name }: Pick<Pointer, 'value' | 'name'>,
  iban: string | null,
): LabelMonetaryAccount => ({
  ...noDetails,
  iban,
  display_name: name ?? value,
  label_user: null,
  country: iban?.slice(0, 2) ?? 'NL',
  swift_bic: null,
})

export function toAccount(account: Account, { amount, reserved, overdraft }: Balance): MonetaryAccountShown {
  const { id, currency, createdAt, updatedAt, uuid, user, iban } = account
  const { setting = {}, avatar = null, ...details } = account.details
  const name = nameOf(account)
  return {
    id: Number(id),
    created: momentOf(createdAt),
    updated: momentOf(updatedAt),
    public_uuid: uuid,
    user_id: Number(user),
    currency,
    description: account.description,
    display_name: name,
    status: account.status,
    sub_status: account.subStatus,
    balance: toAmount(amount, currency),
    balance_reserved: toAmount(reserved, currency),
    overdraft_limit: toAmount(overdraft ?? 0n, currency),
    alias: [{ type: 'IBAN', value: iban, name, service: null }],
    avatar,
    setting: {
      color: '#00A6A6',
      icon: null,
      restriction_chat: 'ALLOW_INCOMING',
      sdd_expiration_action: 'AUTO_ACCEPT',
      ...setting,
      default_avatar_status: avatar === null ? 'AVATAR_DEFAULT' : 'AVATAR_CUSTOM',
    },
    daily_limit: toAmount(100_000n, currency),
    reason: null,
    reason_description: null,
    monetary_account_profile: null,
    all_auto_save_id: [],
    all_co_owner: account.kind === 'MonetaryAccountBank' ? [] : [{ alias: labelOfUser(account), status: 'ACCEPTED' }],
    ...details,
  }
}
