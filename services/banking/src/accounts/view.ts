import { formatAmount } from '../ledger/money.ts'
import type { Balance } from '../ledger/store.ts'
import type { Amount, LabelMonetaryAccount, Pointer } from '../shapes/contract.ts'
import { momentOf } from '../shapes/moments.ts'
import { bic } from './iban.ts'
import type { Account } from './store.ts'

export const shownAmount = (amount: bigint, currency: string): Amount => ({
  value: formatAmount(amount, currency),
  currency,
})

export const labelOfUser = ({ userName, userUuid, nickName }: Account) => ({
  uuid: userUuid,
  display_name: userName,
  country: 'NL',
  avatar: null,
  public_nick_name: nickName,
})

const nothingElse = {
  avatar: null,
  vendor_me: null,
  is_light: false,
  swift_account_number: null,
  transferprovider_account_number: null,
  transferprovider_bank_code: null,
  merchant_category_code: null,
}

/** An account as the other side of a payment sees it. */
export const labelOf = (account: Account): LabelMonetaryAccount => ({
  ...nothingElse,
  iban: account.iban,
  display_name: account.userName,
  label_user: labelOfUser(account),
  country: 'NL',
  swift_bic: bic,
})

/** An account at another bank, or the bank itself. */
export const labelOfOther = (
  { value, name }: Pick<Pointer, 'value' | 'name'>,
  iban: string | null,
): LabelMonetaryAccount => ({
  ...nothingElse,
  iban,
  display_name: name ?? value,
  label_user: null,
  country: iban?.slice(0, 2) ?? 'NL',
  swift_bic: null,
})

export function toAccount(account: Account, { amount, overdraft }: Balance) {
  const { id, currency, createdAt, updatedAt, uuid, user, iban, userName } = account
  const { setting = {}, ...details } = account.details as { setting?: object }
  return {
    id: Number(id),
    created: momentOf(createdAt),
    updated: momentOf(updatedAt),
    public_uuid: uuid,
    user_id: Number(user),
    currency,
    description: account.description,
    display_name: userName,
    status: account.status,
    sub_status: account.subStatus,
    balance: shownAmount(amount, currency),
    overdraft_limit: shownAmount(overdraft ?? 0n, currency),
    alias: [{ type: 'IBAN', value: iban, name: userName }],
    avatar: null,
    setting: {
      color: '#00A6A6',
      default_avatar_status: 'AVATAR_DEFAULT',
      restriction_chat: 'ALLOW_INCOMING',
      ...setting,
    },
    daily_limit: shownAmount(100_000n, currency),
    ...details,
  }
}
