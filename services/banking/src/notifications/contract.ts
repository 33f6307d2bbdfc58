import { extensions, named, Type } from '@icosa/contract'
import { get, list, many, one, post, read } from '../dialect/contract.ts'
import { headerNames, originalTabCategory } from '../names.ts'
import { stamps } from '../shapes/contract.ts'

const text = Type.String()

/** Categories that clients can subscribe to, by their original names. */
const categories = [
  'BILLING',
  'CARD_TRANSACTION_FAILED',
  'CARD_TRANSACTION_SUCCESSFUL',
  'DRAFT_PAYMENT',
  'MUTATION',
  'PAYMENT',
  'REQUEST',
  'SCHEDULE_RESULT',
  'VENDORME_TAB',
  originalTabCategory,
] as const
/** Never published here, but accepted: clients register all categories that they handle in one list. */
const silentCategories = [
  'CHAT',
  'IDEAL',
  'MONETARY_ACCOUNT_PROFILE',
  'OAUTH',
  'PROMOTION',
  'SCHEDULE_STATUS',
  'SHARE',
  'SOFORT',
  'SUPPORT',
  'TAB_RESULT',
  'USER_APPROVAL',
] as const

const Filter = named('NotificationFilter', {
  category: Type.Enum([...categories, ...silentCategories]),
  notification_target: Type.String({ pattern: '^https?://', maxLength: 1_000 }),
})
const Filters = named('NotificationFilters', { notification_filters: Type.Array(Filter, { maxItems: 50 }) })
const Shown = named('NotificationFilterUrl', { ...stamps, category: text, notification_target: text })
const original = Type.Optional(text)
const headers = Type.Object({ [headerNames.authentication[1]]: original } as {
  readonly [K in (typeof headerNames.authentication)[1]]: typeof original
})

const Event = named('Event', {
  ...stamps,
  action: text,
  user_id: text,
  monetary_account_id: text,
  object: Type.Record(Type.Unknown()),
  status: text,
})

const ofUser = '/user/{userID}/notification-filter-url'
const ofAccount = '/user/{userID}/monetary-account/{monetary-accountID}/notification-filter-url'

export const notifications = extensions({
  setUserFilters: post(ofUser, {
    summary: 'Set the URLs that are notified of events of a user. Replaces earlier ones.',
    headers,
    body: Filters,
    replies: { 200: many('NotificationFilterUrl', Shown) },
  }),
  listUserFilters: get(ofUser, {
    summary: 'List the URLs that are notified of events of a user.',
    replies: { 200: many('NotificationFilterUrl', Shown) },
  }),
  setAccountFilters: post(ofAccount, {
    summary: 'Set the URLs that are notified of events of an account. Replaces earlier ones.',
    headers,
    body: Filters,
    replies: { 200: many('NotificationFilterUrl', Shown) },
  }),
  listAccountFilters: get(ofAccount, {
    summary: 'List the URLs that are notified of events of an account.',
    replies: { 200: many('NotificationFilterUrl', Shown) },
  }),
  listEvents: list('/user/{userID}/event', 'List the events of a user, newest first.', many('Event', Event)),
  getEvent: read('/user/{userID}/event/{itemId}', 'Read an event of a user.', one('Event', Event)),
})
