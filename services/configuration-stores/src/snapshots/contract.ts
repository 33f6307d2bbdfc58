import { extensions, named, oneOf, type Static, Type, withNul } from '@icosa/contract'
import {
  api,
  ConditionHeaders,
  EntityHeaders,
  mediaTypeOf,
  page,
  pageOf,
  queryOf,
  select,
  TimeHeaders,
} from '../data-plane/contract.ts'

const text = Type.String({ maxLength: 10_000 })

const Filter = Type.Object({
  key: text,
  label: withNul(Type.Optional(Type.Nullable(text))),
  tags: Type.Optional(Type.Nullable(Type.Array(text, { maxItems: 5 }))),
})

/** With the fields selected by `$select`. */
export const Snapshot = named('Snapshot', {
  etag: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  status: Type.Optional(oneOf('provisioning', 'ready', 'archived', 'failed')),
  filters: Type.Optional(Type.Array(Filter)),
  composition_type: Type.Optional(oneOf('key', 'key_label')),
  created: Type.Optional(Type.String({ format: 'date-time' })),
  expires: Type.Optional(Type.String({ format: 'date-time' })),
  retention_period: Type.Optional(Type.Integer()),
  size: Type.Optional(Type.Integer()),
  items_count: Type.Optional(Type.Integer()),
  tags: Type.Optional(Type.Record(Type.String())),
})
export interface Snapshot extends Static<typeof Snapshot> {}

const SnapshotInput = named('SnapshotInput', {
  filters: Type.Array(Filter, { minItems: 1, maxItems: 3 }),
  composition_type: Type.Optional(Type.Nullable(oneOf('key', 'key_label'))),
  retention_period: Type.Optional(Type.Nullable(Type.Integer({ minimum: 3600 }))),
  tags: Type.Optional(Type.Nullable(Type.Record(text))),
})
export interface SnapshotInput extends Static<typeof SnapshotInput> {}

const single = {
  query: queryOf({}),
  headers: ConditionHeaders,
  replyType: mediaTypeOf('snapshot'),
  replyHeaders: EntityHeaders,
  extension: true,
} as const

export const snapshots = {
  get: api.get('/snapshots/{name}', {
    ...single,
    summary: 'Read a snapshot.',
    query: queryOf(select),
    replies: { 200: Snapshot, 304: null },
    head: true,
  }),
  list: api.get('/snapshots', {
    summary: 'List snapshots.',
    query: queryOf({ name: Type.Optional(Type.String()), status: Type.Optional(Type.String()), ...page }),
    headers: TimeHeaders,
    replies: { 200: pageOf('SnapshotPage', Snapshot), 304: null },
    replyType: mediaTypeOf('snapshotset'),
    replyHeaders: EntityHeaders,
    head: true,
    extension: true,
  }),
  create: api.put('/snapshots/{name}', {
    ...single,
    summary: 'Create a snapshot of key-values. Continues in the background.',
    body: SnapshotInput,
    replies: { 201: Snapshot },
  }),
  update: api.patch('/snapshots/{name}', {
    ...single,
    summary: 'Archive a snapshot so that it expires, or recover it.',
    body: named('SnapshotChange', { status: oneOf('ready', 'archived') }),
    replies: { 200: Snapshot },
  }),
}

export const operations = extensions({
  get: api.get('/operations', {
    summary: 'Read the progress of a snapshot.',
    query: queryOf({ snapshot: Type.String() }),
    replies: {
      200: named('OperationStatus', {
        id: Type.String(),
        status: oneOf('Running', 'Succeeded', 'Failed'),
        error: Type.Nullable(named('OperationError', { code: Type.String(), message: Type.String() })),
      }),
    },
    replyHeaders: EntityHeaders,
    head: true,
  }),
})
