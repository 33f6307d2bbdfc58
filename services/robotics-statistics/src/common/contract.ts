import { type Dialect, named, operationsOf, type Schema, Type } from '@icosa/contract'
import { basicDialect } from '@icosa/dialects/basic'
import { errorStatuses } from '@icosa/dialects/status'
import { onlyModifiedSince } from '../names.ts'

/** Errors are plain text; server errors are objects. */
const dialect: Dialect = {
  ...basicDialect,
  version: '3.0',
  errorStatuses,
  queryUnknown: 'refused',
  error: Type.Union(Type.String(), named('ServerError', { code: Type.Integer(), message: Type.String() })),
}

/** Builds a case-insensitive pattern. */
export const anyCase = (...words: string[]) =>
  `^(${words.map((word) => word.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`)).join('|')})$`

const levelWords = {
  pattern: anyCase('none', 'practice', 'qualification', 'qual', 'playoff'),
  description: 'practice, qualification (or qual) or playoff; none is all of them',
}

/** Too short or too long is 400; one that the season does not have is 404. */
const eventCode = Type.String({ pattern: '^[A-Za-z0-9_-]{3,20}$', description: 'an event code of 3 to 20 characters' })

const params = {
  season: Type.String({ pattern: '^[0-9]{4}$', description: 'a year of four digits' }),
  eventCode,
  teamNumber: Type.String({ pattern: '^[0-9]{1,6}$', description: 'the number of a team' }),
  tournamentLevel: Type.String(levelWords),
}

export const { get } = operationsOf(dialect, { params })

/** Conditional request headers, and the accepted codings. */
export const headers = Type.Object({
  'if-modified-since': Type.Optional(Type.String({ maxLength: 200 })),
  'if-none-match': Type.Optional(Type.String({ maxLength: 2_000 })),
  [onlyModifiedSince.toLowerCase() as 'fms-onlymodifiedsince']: Type.Optional(
    Type.String({ maxLength: 200, description: 'A date: only items that have changed since are returned.' }),
  ),
  'accept-encoding': Type.Optional(Type.String({ maxLength: 1_000 })),
})

const text = Type.String()
const replyHeaders = Type.Object({
  'last-modified': Type.Optional(text),
  etag: Type.Optional(text),
  vary: Type.Optional(text),
  'cache-control': Type.Optional(text),
  'content-encoding': Type.Optional(text),
})

/** A list that supports conditional requests. */
export const list = <S extends Schema>(reply: S) => ({ headers, replyHeaders, replies: { 200: reply, 304: null } })

export const event = Type.Optional(eventCode)
export const district = Type.Optional(Type.String({ maxLength: 20 }))
export const team = Type.Optional(Type.Integer({ minimum: 0, maximum: 999_999 }))
export const number = Type.Optional(Type.Integer({ minimum: 0, maximum: 999_999 }))
export const page = Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }))
export const level = Type.Optional(Type.String(levelWords))
