import { named, Type } from '@icosa/contract'
import { get, post, put, userParams } from '../dialect/contract.ts'
import { pageHeaders, pageQuery } from '../paging/contract.ts'
import { moment } from '../search/filters/contract.ts'
import { dateTime, text, User } from '../shapes/contract.ts'

const { Optional } = Type
const filter = Optional(text(200))

const profileTexts = {
  name: Optional(text(200)),
  email: Optional(text(254)),
  bio: Optional(text(5_000)),
  picture: Optional(Type.String({ pattern: '^https?://', maxLength: 1_000 })),
  profile: Optional(Type.String({ pattern: '^https?://', maxLength: 1_000 })),
}
const LinkedProfile = named('LinkedProfile', { id: Type.String(), ...profileTexts, registered: Type.String() })

export const users = {
  listUsers: get('/users', {
    extension: true,
    summary: 'List users, oldest first.',
    query: Type.Object({
      assignment: filter,
      country: Optional(text(2)),
      minimumContributions: Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
      linkedProfile: filter,
      ownedBy: filter,
      submittedBefore: moment,
      submittedAfter: moment,
      username: filter,
      ...pageQuery,
    }),
    replies: { 200: Type.Array(User) },
    replyHeaders: pageHeaders,
  }),
  createUser: post('/users', {
    summary: 'Create a user with a password.',
    body: named('UserSubmission', {
      username: Type.String({ pattern: '^[\\w.@+-]{3,100}$' }),
      password: Type.String({ minLength: 10, maxLength: 1_000 }),
      displayName: Optional(text(200)),
      bio: Optional(text(5_000)),
      email: Optional(text(254)),
      scopes: Optional(Type.Array(text(50), { maxItems: 20 })),
    }),
    replies: { 200: User },
    extension: true,
  }),
  getUser: get('/users/{id}', { extension: true, summary: 'Read a user.', params: userParams, replies: { 200: User } }),
  getLinkedProfile: get('/users/{id}/linked/{type}', {
    extension: true,
    summary: 'Read a user’s profile on another site.',
    params: userParams,
    replies: { 200: LinkedProfile },
  }),
  linkProfile: put('/users/{id}/linked/{type}', {
    summary: 'Link a user’s profile on another site.',
    params: userParams,
    body: named('LinkedProfileSubmission', { id: text(200), ...profileTexts, registered: Optional(dateTime) }),
    replies: { 200: LinkedProfile },
    extension: true,
  }),
}
