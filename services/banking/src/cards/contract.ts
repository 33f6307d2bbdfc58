import { extensions, named, oneOf, Type } from '@icosa/contract'
import { MonetaryAccount } from '../accounts/contract.ts'
import { get, IdAnswer, many, one, pageQuery, post, put, read } from '../dialect/contract.ts'
import {
  Amount,
  AmountShown,
  LabelMonetaryAccount,
  LabelUser,
  Moment,
  Pointer,
  stamps,
  uuid,
} from '../shapes/contract.ts'

const text = Type.String()
const orNull = Type.Nullable
const id = Type.Integer({ minimum: 1, maximum: 10 ** 15 })
const pin = Type.String({ pattern: '^\\d{4}$' })
export const line = Type.String({ minLength: 1, maxLength: 20 })
const extension = true

const NewCountryPermission = named('NewCardCountryPermission', {
  country: Type.String({ pattern: '^[A-Z]{2}$' }),
  expiry_time: Type.Optional(orNull(Moment)),
  id: Type.Optional(id),
})
const CountryPermission = named('CardCountryPermission', {
  id: Type.Integer(),
  country: text,
  expiry_time: orNull(text),
})
export const PinAssignment = named('CardPinAssignment', {
  type: Type.Optional(oneOf('PRIMARY', 'SECONDARY', 'TERTIARY')),
  routing_type: Type.Optional(text),
  pin_code: Type.Optional(pin),
  status: Type.Optional(text),
  monetary_account_id: Type.Optional(id),
})
/** Changes the number with this id or uuid; without either, it is added. */
const NewAccountNumber = named('NewCardPrimaryAccountNumber', {
  id: Type.Optional(id),
  uuid: Type.Optional(uuid),
  description: Type.Optional(Type.String({ maxLength: 100 })),
  status: Type.Optional(oneOf('ACTIVE', 'INACTIVE')),
  monetary_account_id: Type.Optional(orNull(id)),
  four_digit: Type.Optional(text),
  type: Type.Optional(oneOf('PRIMARY', 'VIRTUAL')),
})
const AccountNumber = named('CardPrimaryAccountNumber', {
  id: Type.Integer(),
  uuid: text,
  description: text,
  status: text,
  monetary_account_id: orNull(Type.Integer()),
  four_digit: text,
  type: text,
})

/** The account of a card. Fields that are always null or empty are not supported. */
const CardAccount = named('CardMonetaryAccount', {
  ...MonetaryAccount.properties,
  budget: Type.Array(Type.Record(Type.Unknown())),
  share: orNull(Type.Record(Type.Unknown())),
  relation_user: orNull(Type.Record(Type.Unknown())),
  co_owner_user: orNull(LabelUser),
  open_banking_account: orNull(Type.Record(Type.Unknown())),
})

export const cardStatuses = ['ACTIVE', 'DEACTIVATED', 'LOST', 'STOLEN', 'CANCELLED'] as const

const Card = named('Card', {
  ...stamps,
  public_uuid: text,
  user_id: Type.Integer(),
  user_owner_id: Type.Integer(),
  user_holder_id: Type.Integer(),
  type: text,
  sub_type: text,
  product_type: text,
  product_sub_type: orNull(text),
  first_line: text,
  second_line: text,
  name_on_card: text,
  preferred_name_on_card: orNull(text),
  status: text,
  sub_status: text,
  order_status: text,
  expiry_date: text,
  primary_account_numbers: Type.Array(AccountNumber),
  payment_account_reference: text,
  card_limit: AmountShown,
  card_limit_atm: AmountShown,
  country_permission: Type.Array(CountryPermission),
  pin_code_assignment: Type.Array(PinAssignment),
  label_monetary_account_ordered: LabelMonetaryAccount,
  label_monetary_account_current: LabelMonetaryAccount,
  monetary_account: CardAccount,
  monetary_account_id_fallback: orNull(Type.Integer()),
  cancellation_reason: orNull(text),
})

export const Changes = named('CardChanges', {
  pin_code: Type.Optional(pin),
  activation_code: Type.Optional(Type.String({ pattern: '^\\d{6}$' })),
  order_status: Type.Optional(
    oneOf('NEW_CARD_REQUEST_RECEIVED', 'CARD_REQUEST_PENDING', 'ACCEPTED_FOR_PRODUCTION', 'DELIVERED_TO_CUSTOMER'),
  ),
  card_limit: Type.Optional(Amount),
  card_limit_atm: Type.Optional(Amount),
  country_permission: Type.Optional(Type.Array(NewCountryPermission, { maxItems: 50 })),
  pin_code_assignment: Type.Optional(Type.Array(PinAssignment, { maxItems: 3 })),
  primary_account_numbers: Type.Optional(Type.Array(NewAccountNumber, { minItems: 1, maxItems: 10 })),
  monetary_account_id_fallback: Type.Optional(id),
  preferred_name_on_card: Type.Optional(line),
  second_line: Type.Optional(line),
  cancellation_reason: Type.Optional(Type.String({ maxLength: 200 })),
  status: Type.Optional(Type.Enum(cardStatuses)),
})

/** A card transaction at a shop or an ATM. */
export const MasterCardAction = named('MasterCardAction', {
  ...stamps,
  card_id: Type.Integer(),
  monetary_account_id: Type.Integer(),
  amount_local: AmountShown,
  amount_billing: AmountShown,
  description: text,
  city: orNull(text),
  country: text,
  authorisation_type: text,
  authorisation_status: text,
  clearing_status: orNull(text),
  decision: text,
  decision_description: text,
  alias: LabelMonetaryAccount,
  payment_status: text,
})

const account = '/user/{userID}/monetary-account/{monetary-accountID}'
const authorization = '/user/{userID}/card/{cardID}/authorization'

export const cards = {
  createCardDebit: post('/user/{userID}/card-debit', {
    summary: 'Order a debit card.',
    body: named('NewCardDebit', {
      name_on_card: line,
      second_line: Type.Optional(Type.String({ maxLength: 20 })),
      type: Type.Optional(oneOf('MAESTRO', 'MASTERCARD', 'MASTERCARD_VIRTUAL')),
      product_type: Type.Optional(Type.String({ maxLength: 50 })),
      preferred_name_on_card: Type.Optional(line),
      alias: Type.Optional(Pointer),
      pin_code_assignment: Type.Optional(Type.Array(PinAssignment, { maxItems: 3 })),
      monetary_account_id_fallback: Type.Optional(id),
    }),
    replies: { 200: IdAnswer },
    extension,
  }),
  listCards: get('/user/{userID}/card', {
    summary: 'List the cards of a user.',
    query: pageQuery,
    replies: { 200: many('CardDebit', Card) },
    extension,
  }),
  getCard: read('/user/{userID}/card/{itemId}', 'Read a card.', one('CardDebit', Card)),
  updateCard: put('/user/{userID}/card/{itemId}', {
    summary: 'Activate, freeze or cancel a card; change its PIN, limits, countries and account.',
    body: Changes,
    replies: { 200: IdAnswer },
  }),
  ...extensions({
    listCardNames: get('/user/{userID}/card-name', {
      summary: 'List the names that can be printed on a card.',
      replies: { 200: many('CardUserNameArray', named('CardName', { possible_card_name_array: Type.Array(text) })) },
    }),

    authorizeCard: post(authorization, {
      summary:
        'Extension for the sandbox: use a card at a shop or an ATM. The amount is reserved if the card is accepted.',
      body: named('NewCardAuthorization', {
        amount: Amount,
        description: Type.String({ minLength: 1, maxLength: 140 }),
        country: Type.String({ pattern: '^[A-Z]{2}$' }),
        city: Type.Optional(Type.String({ maxLength: 100 })),
        pin_code: Type.Optional(pin),
        is_atm: Type.Optional(Type.Boolean()),
        /** For purchases without the card. */
        cvc2: Type.Optional(Type.String({ pattern: '^\\d{3}$' })),
      }),
      replies: { 200: IdAnswer },
    }),
    settleAuthorization: put(`${authorization}/{itemId}`, {
      summary: 'Extension for the sandbox: capture or release the reserved amount.',
      body: named('CardAuthorizationChanges', { status: oneOf('CLEARED', 'REVERSED') }),
      replies: { 200: IdAnswer },
    }),
    listMasterCardActions: get(`${account}/mastercard-action`, {
      summary: 'List the card transactions of an account.',
      query: pageQuery,
      replies: { 200: many('MasterCardAction', MasterCardAction) },
    }),
    getMasterCardAction: get(`${account}/mastercard-action/{itemId}`, {
      summary: 'Read a card transaction.',
      replies: { 200: one('MasterCardAction', MasterCardAction) },
    }),
  }),
}
