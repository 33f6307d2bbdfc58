import { named, oneOf, Type } from '@icosa/contract'
import { get, IdAnswer, list, many, one, pageQuery, post, put, read } from '../dialect/contract.ts'
import { Payment } from '../payments/shapes/contract.ts'
import {
  Amount,
  AmountShown,
  AttachmentShown,
  color,
  currencyCode,
  LabelMonetaryAccount,
  Moment,
  PointerShown,
  stamps,
} from '../shapes/contract.ts'

const text = Type.String()
const orNull = Type.Nullable
const at = '/user/{userID}/monetary-account/{monetary-accountID}'
const profiles = '/user/{userID}/vendorme-fundraiser-profile'
const link = Type.Optional(Type.String({ pattern: '^https?://', maxLength: 1_000 }))

const NewEntry = named('NewVendorMeTabEntry', {
  amount_inquired: Type.Optional(Amount),
  description: Type.Optional(Type.String({ maxLength: 140 })),
  redirect_url: link,
})
const Entry = named('VendorMeTabEntry', {
  uuid: text,
  amount_inquired: AmountShown,
  description: text,
  redirect_url: orNull(text),
  alias: LabelMonetaryAccount,
  status: text,
  merchant_available: Type.Array(Type.Record(Type.Unknown())),
  invite_profile_name: orNull(text),
})
const event_id = Type.Optional(Type.Integer({ minimum: 1, maximum: 10 ** 15 }))

const Tab = named('VendorMeTab', {
  ...stamps,
  time_expiry: Moment,
  monetary_account_id: Type.Integer(),
  status: text,
  type: text,
  alias_monetary_account: LabelMonetaryAccount,
  vendorme_tab_share_url: text,
  vendorme_tab_entry: Entry,
  vendorme_tab_entries: Type.Array(Entry),
  result_inquiries: Type.Array(
    named('VendorMeTabResultInquiry', {
      /** Id of the payer's vendorme-tab-result-response. */
      id: orNull(Type.Integer()),
      vendor_me_tab_id: Type.Integer(),
      payment: Payment,
    }),
  ),
  event_id: orNull(Type.Integer()),
})

const Profile = named('VendorMeFundraiserProfile', {
  ...stamps,
  monetary_account_id: Type.Integer(),
  owner_user_id: Type.Integer(),
  color: text,
  alias: LabelMonetaryAccount,
  currency: text,
  description: text,
  attachment: orNull(AttachmentShown),
  pointer: PointerShown,
  redirect_url: orNull(text),
  status: text,
})
const profileFields = Profile.properties
const Result = named('VendorMeFundraiserResult', {
  ...stamps,
  vendorme_fundraiser_profile: named('VendorMeFundraiserProfileShown', {
    pointer: profileFields.pointer,
    color: profileFields.color,
    alias: profileFields.alias,
    currency: profileFields.currency,
    description: profileFields.description,
    attachment: profileFields.attachment,
    status: profileFields.status,
    redirect_url: profileFields.redirect_url,
    invite_profile_name: orNull(text),
    merchant_available: Type.Array(Type.Record(Type.Unknown())),
  }),
  payments: Type.Array(Type.Object({ Payment })),
})

const ResultResponse = named('VendorMeTabResultResponse', { id: Type.Integer(), payment: Payment })

export const tabs = {
  createTab: post(`${at}/vendorme-tab`, {
    summary: 'Create a payment page on which any account holder can pay the requested amount.',
    body: named('NewVendorMeTab', {
      vendorme_tab_entry: Type.Optional(NewEntry),
      status: Type.Optional(oneOf('WAITING_FOR_PAYMENT')),
      event_id,
    }),
    replies: { 200: IdAnswer },
  }),
  listTabs: list(`${at}/vendorme-tab`, 'List payment pages.', many('VendorMeTab', Tab)),
  updateTab: put(`${at}/vendorme-tab/{itemId}`, {
    summary: 'Change or cancel a payment page.',
    body: named('VendorMeTabChanges', {
      vendorme_tab_entry: Type.Optional(NewEntry),
      event_id,
      status: Type.Optional(oneOf('CANCELLED')),
    }),
    replies: { 200: IdAnswer },
  }),
  getTab: read(`${at}/vendorme-tab/{itemId}`, 'Read a payment page and its payments.', one('VendorMeTab', Tab)),
  getTabResultResponse: get(`${at}/vendorme-tab-result-response/{itemId}`, {
    summary: 'Read a payment made on a payment page.',
    replies: { 200: one('VendorMeTabResultResponse', ResultResponse) },
  }),

  createFundraiserProfile: post(profiles, {
    summary: 'Extension: create a fundraiser for an account. Its page accepts any amount.',
    body: named('NewVendorMeFundraiserProfile', {
      monetary_account_id: Type.Integer({ minimum: 1, maximum: 10 ** 15 }),
      description: Type.String({ maxLength: 140 }),
      color: Type.Optional(color),
      currency: Type.Optional(currencyCode),
      redirect_url: link,
    }),
    replies: { 200: IdAnswer },
    extension: true,
  }),
  listFundraiserProfiles: get(profiles, {
    summary: 'List the fundraisers of a user.',
    query: pageQuery,
    replies: { 200: many('VendorMeFundraiserProfile', Profile) },
  }),
  getFundraiserProfile: read(`${profiles}/{itemId}`, 'Read a fundraiser.', one('VendorMeFundraiserProfile', Profile)),
  getFundraiserResult: get(`${at}/vendorme-fundraiser-result/{itemId}`, {
    summary: 'Read the payments to a fundraiser, by the id of the result or of the profile.',
    replies: { 200: one('VendorMeFundraiserResult', Result) },
  }),
}
