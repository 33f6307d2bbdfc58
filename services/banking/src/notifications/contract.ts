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
  'IDEAL',
  'MUTATION',
  'PAYMENT',
  'REQUEST',
  'SCHEDULE_RESULT',
  'SHARE',
  'VENDORME_TAB',
  originalTabCategory,
] as const
/** Never published here, but accepted: clients register all categories that they handle in one list. */
const silentCategories = [
  'CHAT',
  'MONETARY_ACCOUNT_PROFILE',
  'OAUTH',
  'PROMOTION',
  'SCHEDULE_STATUS',
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
/** By category alone: other fields of the original's filters have no effect on these. */
const Categories = named('NotificationCategories', {
  notification_filters: Type.Array(
    named('NotificationCategory', { category: Type.Enum([...categories, ...silentCategories]) }),
    { maxItems: 50 },
  ),
})
const ByCategory = named('NotificationFilterByCategory', { ...stamps, category: text })
const Push = named('PushNotification', {
  ...stamps,
  category: text,
  event_type: text,
  monetary_account_id: Type.Integer(),
})
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
const push = '/user/{userID}/notification-filter-push'
const email = '/user/{userID}/notification-filter-email'
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
  setPushFilters: post(push, {
    summary: 'Set the categories of events that a user gets as push notifications. Replaces earlier ones.',
    body: Categories,
    replies: { 200: many('NotificationFilterPush', ByCategory) },
  }),
  listPushFilters: get(push, {
    summary: 'List the categories of push notifications of a user.',
    replies: { 200: many('NotificationFilterPush', ByCategory) },
  }),
  listPushNotifications: list(
    '/user/{userID}/push-notification',
    'Extension for the sandbox: list what the phone of a user shows. Each has the id of its event.',
    many('PushNotification', Push),
  ),
  setEmailFilters: post(email, {
    summary: 'Set the categories of events that are mailed to a user. Replaces earlier ones.',
    body: Categories,
    replies: { 200: many('NotificationFilterEmail', ByCategory) },
  }),
  listEmailFilters: get(email, {
    summary: 'List the categories of mails to a user.',
    replies: { 200: many('NotificationFilterEmail', ByCategory) },
  }),
  listEvents: list('/user/{userID}/event', 'List the events of a user, newest first.', many('Event', Event)),
  getEvent: read('/user/{userID}/event/{itemId}', 'Read an event of a user.', one('Event', Event)),
})
