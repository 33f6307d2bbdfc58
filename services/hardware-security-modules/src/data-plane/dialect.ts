import { statusOf } from '@icosa/dialects/status'
import { type DialectServer, Failure } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { authenticate, ModuleCaller } from './authenticate.ts'

/** Dialect of a module's own API. */
export const moduleDialect: DialectServer<ServiceRuntime> = {
  authentication: { kind: 'bearer' },
  tenantSources: [{ in: 'path', pattern: '/modules/([0-9a-f-]{36})', gives: 'module' }], // a PIN has no tag
  authenticate,

  check(_, __, caller) {
    if (!(caller instanceof ModuleCaller) || caller.module.state === 'Succeeded') return
    const { state, statusMessage } = caller.module
    throw new Failure('conflict', `The module is not ready: ${statusMessage} Its state is ${state}.`, {
      code: 'ModuleNotReady',
    })
  },

  reply({ status, body, headers, next }, _, { url }) {
    if (next === undefined) return { status, headers, body }
    const nextUrl = new URL(url)
    nextUrl.searchParams.set('after', next)
    return { status, headers, body: { ...Object(body), nextLink: nextUrl.href } }
  },

  failure({ kind, code, message }) {
    const status = statusOf[kind]
    return {
      status,
      ...(status === 401 && { headers: { 'www-authenticate': 'Bearer, Basic realm="module"' } }),
      body: { error: { code: code ?? kind, message } },
    }
  },
}
