import { bearerCaller } from '@icosa/dialects/bearer'
import { statusOf } from '@icosa/dialects/status'
import type { DialectServer, Failure, Incoming } from '@icosa/kernel'
import { versionSegment } from '../names.ts'
import { Contributor } from './caller.ts'

/** By its path alone: what a refused host would make of an address is not asked. */
const isToken = ({ target }: Incoming) => /\/token\/?(\?|$)/.test(target)

/** OAuth 2.0 has its own names for what can go wrong at the token endpoint. */
const oauthError = ({ kind, code }: Failure) =>
  code ?? (kind === 'unavailable' || kind === 'rateLimited' ? 'temporarily_unavailable' : 'invalid_request')

export const contributionsDialect: DialectServer = {
  authentication: { kind: 'bearer' },

  authenticate(incoming, credentials) {
    const found = bearerCaller(incoming, credentials)
    const known = (caller: Awaited<typeof found>) => caller && new Contributor(caller, incoming.ip)
    return found instanceof Promise ? found.then(known) : known(found)
  },

  spellings: (path) => [`${versionSegment}${path}`],

  reply({ status, body, headers, next }, _, { url }) {
    if (next === undefined) return { status, body, headers }
    const address = new URL(url)
    address.searchParams.set('after', next)
    return { status, body, headers: { ...headers, link: `<${address.href}>; rel="next"` } }
  },

  failure(failure, incoming) {
    const { kind, message, details } = failure
    const status = statusOf[kind]
    const fields = details.map(({ at, message }) => ({ name: at.replace(/^(body|query|path)\//, ''), message }))
    return {
      status,
      headers: status === 401 ? { 'www-authenticate': 'Bearer realm="contribution-collection"' } : {},
      body: {
        message,
        ...(fields.length > 0 && { fields }),
        ...(isToken(incoming) && { error: oauthError(failure), error_description: message }),
      },
    }
  },
}
