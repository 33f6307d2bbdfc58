import { basicCaller, challenge } from '@icosa/dialects/basic/server'
import { statusOf } from '@icosa/dialects/status'
import { type DialectServer, type Failure, Media, NoOperation } from '@icosa/kernel'
import type { Conditions } from './answers/conditions.ts'
import type { Cacheable } from './answers/response-cache.ts'
import type { ServiceRuntime } from './runtime.ts'

/** HTTP Basic, and errors in plain text; only server errors are objects with code and message. */
export const roboticsDialect: DialectServer<ServiceRuntime> = {
  authentication: { kind: 'basic' },
  authenticate: basicCaller,
  cachedResponse: ({ target, headers }, { tenant }, { responses }) =>
    responses.fromCache(tenant, target, headers as Conditions),
  reply(result, _, { target }) {
    const { cacheAs } = result as Cacheable
    cacheAs?.(target)
    return result
  },
  failure(failure) {
    const status = statusFor(failure)
    const headers = status === 401 ? challenge('seasons') : {}
    if (status === 500) return { status, headers, body: { code: status, message: failure.message } }
    return { status, headers, body: new Media('text/plain; charset=utf-8', failure.message) }
  },
}

/** An unknown path is 501; 404 is for unknown events. */
const statusFor = (failure: Failure) =>
  failure instanceof NoOperation && failure.kind === 'notFound' ? 501 : statusOf[failure.kind]
