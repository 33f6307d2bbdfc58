import { named, readOnly, type Static, Type } from '@icosa/contract'
import { api } from '../stores/contract.ts'

const { post, inGroup } = api

const KeyValue = named('KeyValue', {
  key: readOnly(Type.String()),
  label: readOnly(Type.Optional(Type.String())),
  value: readOnly(Type.Optional(Type.String())),
  contentType: readOnly(Type.Optional(Type.String())),
  eTag: readOnly(Type.String()),
  lastModified: readOnly(Type.String({ format: 'date-time' })),
  locked: readOnly(Type.Boolean()),
  tags: readOnly(Type.Record(Type.Nullable(Type.String()))),
})
export interface KeyValue extends Static<typeof KeyValue> {}

export const keyValues = {
  listKeyValue: post(inGroup('/configurationStores/{configStoreName}/listKeyValue'), {
    summary: 'Read one key-value of a configuration store.',
    body: named('ListKeyValueParameters', {
      key: Type.String({ minLength: 1, maxLength: 10_000 }),
      label: Type.Optional(Type.Nullable(Type.String({ maxLength: 10_000 }))),
    }),
    reads: true,
    replies: { 200: KeyValue },
  }),
}
