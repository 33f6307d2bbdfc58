import { bearerCaller } from '@icosa/dialects/bearer'
import { statusOf } from '@icosa/dialects/status'
import { type DialectServer, Media } from '@icosa/kernel'

const titles: Readonly<Record<number, string>> = {
  400: 'Invalid request',
  401: 'Sign in first',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Conflict with the current state',
}

/** Bearer authentication; errors outside the OAuth protocol are problem details. */
export const identityDialect: DialectServer = {
  authentication: { kind: 'bearer' },
  authenticate: bearerCaller,
  reply({ status, body, headers }, _, incoming) {
    const location = headers?.location && { location: new URL(headers.location, incoming.url).href }
    return { status, body, headers: { ...headers, ...location } }
  },
  failure({ kind, message }) {
    const status = statusOf[kind]
    const problem = { type: 'about:blank', status, title: titles[status] ?? 'Request failed', detail: message }
    return {
      status,
      headers: status === 401 ? { 'www-authenticate': 'Bearer' } : {},
      body: new Media('application/problem+json; charset=utf-8', JSON.stringify(problem)),
    }
  },
}
