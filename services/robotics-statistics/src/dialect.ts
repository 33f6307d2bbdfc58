import { basicCaller, challenge } from '@icosa/dialects/basic/server'
import { statusOf } from '@icosa/dialects/status'
import { type DialectServer, type Failure, Media, NoOperation } from '@icosa/kernel'
import type { Conditions } from './answers/conditions.ts'
import type { Cacheable } from './answers/response-cache.ts'
import type { ServiceRuntime } from './runtime.ts'

/** HTTP Basic, and errors in plain text: an object with code and message only where the fault is ours. */
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
  failure(failed) {
    const status = statusFor(failed)
    const headers = status === 401 ? challenge('seasons') : {}
    if (status === 500) return { status, headers, body: { code: status, message: failed.message } }
    return { status, headers, body: new Media('text/plain; charset=utf-8', failed.message) }
  },
}

/** A path that no pattern matches is 501, not 404: that is for events. */
const statusFor = (failed: Failure) =>
  failed instanceof NoOperation && failed.kind === 'notFound' ? 501 : statusOf[failed.kind]
