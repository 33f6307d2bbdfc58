import { extensions, named, Type } from '@icosa/contract'
import { create, get, many, one, pageQuery, read } from '../dialect/contract.ts'
import { Amount, AmountShown, LabelMonetaryAccount, Moment, stamps } from '../shapes/contract.ts'

const at = '/user/{userID}/monetary-account/{monetary-accountID}/ideal-merchant-transaction'
const text = Type.String()
const orNull = Type.Nullable

const TopUp = named('IdealMerchantTransaction', {
  ...stamps,
  monetary_account_id: Type.Integer(),
  alias: LabelMonetaryAccount,
  counterparty_alias: orNull(LabelMonetaryAccount),
  amount_requested: AmountShown,
  /** Null until the other bank has paid. */
  amount_guaranteed: orNull(AmountShown),
  issuer: text,
  issuer_name: text,
  issuer_authentication_url: orNull(text),
  purchase_identifier: text,
  transaction_identifier: text,
  expiration: Moment,
  status: text,
  status_timestamp: Moment,
})

export const topUps = extensions({
  createTopUp: create(
    at,
    'Add money from an account at another bank, which decides by the clock: see the README for its BICs.',
    named('NewIdealMerchantTransaction', {
      amount_requested: Amount,
      issuer: Type.String({ pattern: '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$' }),
    }),
  ),
  listTopUps: get(at, {
    summary: 'List the amounts added from other banks.',
    query: pageQuery,
    replies: { 200: many('IdealMerchantTransaction', TopUp) },
  }),
  getTopUp: read(`${at}/{itemId}`, 'Read an amount added from another bank.', one('IdealMerchantTransaction', TopUp)),
})
