import { bearerCaller } from '@icosa/dialects/bearer'
import { statusOf } from '@icosa/dialects/status'
import type { DialectServer, Failure, Incoming } from '@icosa/kernel'
import { versionSegment } from '../names.ts'
import { nextPage } from '../paging/paging.ts'
import { Contributor } from './caller.ts'

/** Tests only the path, since the host may be invalid. */
const isToken = ({ target }: Incoming) => /\/token\/?(\?|$)/.test(target)

/** Error code of OAuth 2.0. */
const oauthError = ({ kind, code }: Failure) =>
  code ?? (kind === 'unavailable' || kind === 'rateLimited' ? 'temporarily_unavailable' : 'invalid_request')

/** Any origin may read with its key; cookies are ignored. */
const crossOrigin = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'link, x-total-count' }

/** CORS preflight response: other origins may only read. */
export const preflight = {
  ...crossOrigin,
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'authorization',
  'access-control-max-age': '86400',
}

export const contributionsDialect: DialectServer = {
  authentication: { kind: 'bearer' },

  authenticate(incoming, credentials) {
    const caller = bearerCaller(incoming, credentials)
    const toContributor = (base: Awaited<typeof caller>) => base && new Contributor(base, incoming.ip)
    return caller instanceof Promise ? caller.then(toContributor) : toContributor(caller)
  },

  spellings: (path) => [`${versionSegment}${path}`],

  reply({ status, body, headers: own, next }, _, { url }) {
    const headers = { ...own, ...crossOrigin }
    if (next === undefined) return { status, body, headers }
    const address = new URL(url)
    if (next.startsWith(nextPage)) address.searchParams.set('page', next.slice(nextPage.length))
    else address.searchParams.set('after', next)
    return { status, body, headers: { ...headers, link: `<${address.href}>; rel="next"` } }
  },

  failure(failure, incoming) {
    const { kind, message, details } = failure
    const status = statusOf[kind]
    const fields = details.map(({ at, message }) => ({ name: at.replace(/^(body|query|path)\//, ''), message }))
    return {
      status,
      headers: {
        ...crossOrigin,
        ...(status === 401 && { 'www-authenticate': 'Bearer realm="contribution-collection"' }),
      },
      body: {
        message,
        ...(fields.length > 0 && { fields }),
        ...(isToken(incoming) && { error: oauthError(failure), error_description: message }),
      },
    }
  },
}
