import { identifier, Type } from '@icosa/contract'
import { google } from '@icosa/dialects/google'

/** Path parameters of all resources. */
export const api = google('v2', {
  project: identifier('project', {
    pattern: '^[a-z0-9][a-z0-9.-]{0,62}$',
    description: '1 to 63 lower-case letters, digits, . or -',
  }),
  location: Type.String({
    pattern: '^([a-z][a-z0-9-]{0,62}|-)$',
    description: '1 to 63 lower-case letters, digits or -, or - alone for all locations',
  }),
  function: identifier('function', { pattern: '^[a-z]([a-z0-9-]{2,61}[a-z0-9])$' }),
  operation: identifier('operation', { pattern: '^[\\w-]{1,100}$' }),
})

/** Concrete paths, where the specification has a wildcard. */
export const project = '/v2/projects/{project}'
export const parent = '/v2/projects/{project}/locations/{location}'
export const oneFunction = '/v2/projects/{project}/locations/{location}/functions/{function}'
