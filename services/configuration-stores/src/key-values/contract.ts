import { ignoring, named, readOnly, type Static, Type, withNul } from '@icosa/contract'
import * as store from '../data-plane/contract.ts'
import { api } from '../stores/contract.ts'

/** With the fields selected by `$select`. */
export const KeyValue = named('KeyValue', {
  etag: Type.Optional(Type.String()),
  key: Type.Optional(Type.String()),
  label: Type.Optional(Type.Nullable(Type.String())),
  content_type: Type.Optional(Type.Nullable(Type.String())),
  value: Type.Optional(Type.Nullable(Type.String())),
  tags: Type.Optional(Type.Record(Type.Nullable(Type.String()))),
  locked: Type.Optional(Type.Boolean()),
  last_modified: Type.Optional(Type.String({ format: 'date-time' })),
})
export interface KeyValue extends Static<typeof KeyValue> {}

/** @azure/app-configuration sends the whole setting; key and label are taken from the URL. */
const KeyValueContent = ignoring(
  named('KeyValueContent', {
    value: Type.Optional(Type.Nullable(Type.String())),
    content_type: Type.Optional(Type.Nullable(Type.String())),
    tags: Type.Optional(Type.Nullable(Type.Record(Type.Nullable(Type.String())))),
  }),
  ['key', 'label', 'locked', 'etag', 'last_modified'],
)
export interface KeyValueContent extends Static<typeof KeyValueContent> {}

const label = withNul(
  Type.Optional(Type.String({ description: 'Omitted, or U+0000, for the key-value without a label.' })),
)
const filter = Type.Optional(
  Type.String({ description: '`abc`, `abc*`, `*abc`, `*abc*`, or up to five of them, separated by commas.' }),
)

/** Common details of operations on one key-value. */
export const one = {
  query: store.queryOf({ label }),
  replyType: store.mediaTypeOf('kv'),
  replyHeaders: store.EntityHeaders,
  extension: true,
} as const

/** Filters for lists of key-values. */
export const selection = {
  key: filter,
  label: withNul(filter),
  tags: Type.Optional(Type.Array(Type.String({ description: 'name=value' }))),
}

export const many = {
  headers: store.TimeHeaders,
  replies: { 200: store.pageOf('KeyValuePage', KeyValue), 304: null },
  replyType: store.mediaTypeOf('kvset'),
  replyHeaders: store.EntityHeaders,
  head: true,
  extension: true,
} as const

/** Data plane. */
export const keyValues = {
  get: store.api.get('/kv/{key}', {
    ...one,
    summary: 'Read a key-value.',
    query: store.queryOf({ label, ...store.select }),
    headers: store.TimeHeaders,
    replies: { 200: KeyValue, 304: null },
    head: true,
  }),
  list: store.api.get('/kv', {
    ...many,
    summary: 'List key-values, or those of a snapshot.',
    query: store.queryOf({ ...selection, snapshot: Type.Optional(Type.String()), ...store.page }),
  }),
  put: store.api.put('/kv/{key}', {
    ...one,
    summary: 'Write a key-value.',
    headers: store.ConditionHeaders,
    body: KeyValueContent,
    replies: { 200: KeyValue },
  }),
  delete: store.api.delete('/kv/{key}', {
    ...one,
    summary: 'Delete a key-value.',
    headers: store.ConditionHeaders,
    replies: { 200: KeyValue, 204: null },
  }),
}

const ManagedKeyValue = named('KeyValue', {
  key: readOnly(Type.String()),
  label: readOnly(Type.Optional(Type.String())),
  value: readOnly(Type.Optional(Type.String())),
  contentType: readOnly(Type.Optional(Type.String())),
  eTag: readOnly(Type.String()),
  lastModified: readOnly(Type.String({ format: 'date-time' })),
  locked: readOnly(Type.Boolean()),
  tags: readOnly(Type.Record(Type.Nullable(Type.String()))),
})
export interface ManagedKeyValue extends Static<typeof ManagedKeyValue> {}

/** Management API. */
export const managedKeyValues = {
  listKeyValue: api.post(api.inGroup('/configurationStores/{configStoreName}/listKeyValue'), {
    summary: 'Read one key-value of a configuration store.',
    body: named('ListKeyValueParameters', {
      key: Type.String({ minLength: 1, maxLength: 10_000 }),
      label: withNul(Type.Optional(Type.Nullable(Type.String({ maxLength: 10_000 })))),
    }),
    reads: true,
    replies: { 200: ManagedKeyValue },
  }),
}
