import { identifier, named, Type } from '@icosa/contract'
import { signed } from '@icosa/dialects/signed/contract'
import { exceptions } from '../exceptions.ts'

/** Names of configuration sets, and of the destinations in them. */
const names = { pattern: '^[A-Za-z0-9_-]+$', minLength: 1, maxLength: 64 }
export const name = Type.String(names)

export const api = signed({
  version: '2018-09-05',
  message: 'Message',
  token: 'NextToken',
  exceptions,
  params: {
    ConfigurationSetName: identifier('configuration set', names),
    EventDestinationName: identifier('event destination', names),
  },
})

export const setsPath = '/v1/sms-voice/configuration-sets'

export const configurationSets = {
  CreateConfigurationSet: api.post(setsPath, {
    summary: 'Create a configuration set, to which event destinations can be added.',
    body: named('CreateConfigurationSetRequest', { ConfigurationSetName: Type.Optional(name) }),
    replies: { 200: named('CreateConfigurationSetResponse', {}) },
  }),
  ListConfigurationSets: api.get(setsPath, {
    summary: 'List the names of configuration sets, in alphabetical order.',
    query: Type.Object({
      NextToken: Type.Optional(Type.String({ maxLength: 2_000 })),
      PageSize: Type.Optional(
        Type.String({ pattern: '^[0-9]{1,9}$', description: 'Number of names, as a string: 1 to 1000.' }),
      ),
    }),
    replies: {
      200: named('ListConfigurationSetsResponse', {
        ConfigurationSets: Type.Array(Type.String()),
        NextToken: Type.Optional(Type.String()),
      }),
    },
  }),
  DeleteConfigurationSet: api.delete(`${setsPath}/{ConfigurationSetName}`, {
    summary: 'Delete a configuration set with its event destinations and their undelivered events.',
    replies: { 200: named('DeleteConfigurationSetResponse', {}) },
  }),
}
