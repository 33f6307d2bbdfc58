import { named, Type } from '@icosa/contract'
import { get, many, one, pageQuery, post } from '../dialect/contract.ts'
import { headerNames, originalTabCategory } from '../names.ts'
import { stamps } from '../shapes/contract.ts'

const extension = true
const text = Type.String()

/** What a program can be told of. */
export const categories = [
  'PAYMENT',
  'MUTATION',
  'REQUEST',
  'DRAFT_PAYMENT',
  'SCHEDULE_RESULT',
  'VENDORME_TAB',
  originalTabCategory,
  'CARD_TRANSACTION',
  'BILLING',
] as const

const Filter = named('NotificationFilter', {
  category: Type.Enum(categories),
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

export const notifications = {
  setUserFilters: post(ofUser, {
    summary: 'Say which addresses are told what happens to a user. Takes the place of what was said before.',
    headers,
    body: Filters,
    replies: { 200: many('NotificationFilterUrl', Shown) },
    extension,
  }),
  listUserFilters: get(ofUser, {
    summary: 'List the addresses that are told what happens to a user.',
    replies: { 200: many('NotificationFilterUrl', Shown) },
    extension,
  }),
  setAccountFilters: post(ofAccount, {
    summary: 'The same for one account.',
    headers,
    body: Filters,
    replies: { 200: many('NotificationFilterUrl', Shown) },
    extension,
  }),
  listAccountFilters: get(ofAccount, {
    summary: 'List the addresses that are told what happens to an account.',
    replies: { 200: many('NotificationFilterUrl', Shown) },
    extension,
  }),
  listEvents: get('/user/{userID}/event', {
    summary: 'List what happened to a user, the newest first.',
    query: pageQuery,
    replies: { 200: many('Event', Event) },
    extension,
  }),
  getEvent: get('/user/{userID}/event/{itemId}', {
    summary: 'Read what happened to a user.',
    replies: { 200: one('Event', Event) },
    extension,
  }),
}
