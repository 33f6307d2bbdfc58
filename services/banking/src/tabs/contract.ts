import { named, oneOf, Type } from '@icosa/contract'
import { get, IdAnswer, many, one, pageQuery, post, put } from '../dialect/contract.ts'
import { originalFields } from '../names.ts'
import { Payment } from '../payments/shapes/contract.ts'
import {
  Amount,
  AmountShown,
  AttachmentShown,
  currencyCode,
  LabelMonetaryAccount,
  Moment,
  Pointer,
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
const entryFields = {
  vendorme_tab_entry: Type.Optional(NewEntry),
  [originalFields.tabEntry]: Type.Optional(NewEntry),
}
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
    named('VendorMeTabResultInquiry', { vendor_me_tab_id: Type.Integer(), payment: Payment }),
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
  pointer: Pointer,
  redirect_url: orNull(text),
  status: text,
})
const shownProfile = Profile.properties
const Result = named('VendorMeFundraiserResult', {
  ...stamps,
  vendorme_fundraiser_profile: named('VendorMeFundraiserProfileShown', {
    pointer: shownProfile.pointer,
    color: shownProfile.color,
    alias: shownProfile.alias,
    currency: shownProfile.currency,
    description: shownProfile.description,
    attachment: shownProfile.attachment,
    status: shownProfile.status,
    redirect_url: shownProfile.redirect_url,
    invite_profile_name: orNull(text),
    merchant_available: Type.Array(Type.Record(Type.Unknown())),
  }),
  payments: Type.Array(Type.Object({ Payment })),
})

export const tabs = {
  createTab: post(`${at}/vendorme-tab`, {
    summary: 'Make a page on which anybody with an account can pay what you ask for.',
    body: named('NewVendorMeTab', { ...entryFields, status: Type.Optional(oneOf('WAITING_FOR_PAYMENT')), event_id }),
    replies: { 200: IdAnswer },
  }),
  listTabs: get(`${at}/vendorme-tab`, {
    summary: 'List the pages on which you are paid.',
    query: pageQuery,
    replies: { 200: many('VendorMeTab', Tab) },
  }),
  updateTab: put(`${at}/vendorme-tab/{itemId}`, {
    summary: 'Change what a page asks for, or cancel it.',
    body: named('VendorMeTabChanges', { ...entryFields, status: Type.Optional(oneOf('CANCELLED')), event_id }),
    replies: { 200: IdAnswer },
  }),
  getTab: get(`${at}/vendorme-tab/{itemId}`, {
    summary: 'Read a page on which you are paid, with what was paid.',
    replies: { 200: one('VendorMeTab', Tab) },
  }),
  getTabResultResponse: get(`${at}/vendorme-tab-result-response/{itemId}`, {
    summary: 'Read what you paid on a page.',
    replies: { 200: one('VendorMeTabResultResponse', named('VendorMeTabResultResponse', { payment: Payment })) },
  }),

  createFundraiserProfile: post(profiles, {
    summary: 'Ours: begin to raise funds into an account. The page takes any amount.',
    body: named('NewVendorMeFundraiserProfile', {
      monetary_account_id: Type.Integer({ minimum: 1, maximum: 10 ** 15 }),
      description: Type.String({ maxLength: 140 }),
      color: Type.Optional(Type.String({ pattern: '^#[0-9A-F]{6}$' })),
      currency: Type.Optional(currencyCode),
      redirect_url: link,
    }),
    replies: { 200: IdAnswer },
    extension: true,
  }),
  listFundraiserProfiles: get(profiles, {
    summary: 'List for what a user raises funds.',
    query: pageQuery,
    replies: { 200: many('VendorMeFundraiserProfile', Profile) },
  }),
  getFundraiserProfile: get(`${profiles}/{itemId}`, {
    summary: 'Read for what a user raises funds.',
    replies: { 200: one('VendorMeFundraiserProfile', Profile) },
  }),
  getFundraiserResult: get(`${at}/vendorme-fundraiser-result/{itemId}`, {
    summary: 'Read which funds were raised.',
    replies: { 200: one('VendorMeFundraiserResult', Result) },
  }),
}
