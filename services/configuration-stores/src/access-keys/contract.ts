import { named, readOnly, type Static, secret, Type } from '@icosa/contract'
import { listOf } from '@icosa/dialects/arm'
import { api } from '../stores/contract.ts'

const { post, inGroup } = api

const ApiKey = named('ApiKey', {
  id: readOnly(Type.String({ description: 'Credential of signed requests.' })),
  name: readOnly(Type.String()),
  value: readOnly(secret(Type.String({ description: 'The secret, in base64.' }))),
  connectionString: readOnly(Type.String({ description: 'Endpoint, id and secret in one text.' })),
  lastModified: readOnly(Type.String({ format: 'date-time' })),
  readOnly: readOnly(Type.Boolean()),
})
export interface ApiKey extends Static<typeof ApiKey> {}

export const accessKeys = {
  listKeys: post(inGroup('/configurationStores/{configStoreName}/ListKeys'), {
    summary: 'List the access keys of a configuration store, secrets included.',
    query: { $skipToken: Type.Optional(Type.String({ maxLength: 2000 })) },
    reads: true,
    replies: { 200: listOf('ApiKeyListResult', ApiKey) },
  }),
  regenerateKey: post(inGroup('/configurationStores/{configStoreName}/RegenerateKey'), {
    summary: 'Replace the secret of an access key. The old one becomes invalid immediately.',
    body: named('RegenerateKeyParameters', {
      id: Type.Optional(Type.String({ maxLength: 100, description: 'The id of the key.' })),
    }),
    replies: { 200: ApiKey },
  }),
}
