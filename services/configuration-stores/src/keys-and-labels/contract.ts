import { named, Type, withNul } from '@icosa/contract'
import { api, EntityHeaders, mediaTypeOf, page, pageOf, queryOf, TimeHeaders } from '../data-plane/contract.ts'

const name = Type.Optional(Type.String())

const common = {
  headers: TimeHeaders,
  replyHeaders: EntityHeaders,
  head: true,
  extension: true,
} as const

export const Key = named('Key', { name: Type.Optional(Type.String()) })
const Label = named('Label', { name: Type.Optional(Type.Nullable(Type.String())) })

export const keys = {
  list: api.get('/keys', {
    ...common,
    summary: 'List the names of keys.',
    query: queryOf({ name, ...page }),
    replies: { 200: pageOf('KeyPage', Key), 304: null },
    replyType: mediaTypeOf('keyset'),
  }),
}

export const labels = {
  list: api.get('/labels', {
    ...common,
    summary: 'List labels; null means no label.',
    query: queryOf({ name: withNul(name), ...page }),
    replies: { 200: pageOf('LabelPage', Label), 304: null },
    replyType: mediaTypeOf('labelset'),
  }),
}
