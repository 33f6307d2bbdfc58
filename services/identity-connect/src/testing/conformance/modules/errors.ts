import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { redirectUri } from '../../app.ts'
import { authorize, errorOf, expectErrorPage } from '../authorize.ts'
import { everywhere, hasIdToken, type Module } from '../plan.ts'

/** Requests that must be rejected. */
export const errorModules: readonly Module[] = [
  {
    name: 'oidcc-response-type-missing',
    appliesTo: everywhere,
    async run(context) {
      const visit = await authorize(context, { params: { response_type: undefined } })
      // Without a response type, the response is in the query.
      const error = errorOf(context, visit, true)
      expect(['invalid_request', 'unsupported_response_type']).toContain(error)
      return undefined
    },
  },
  {
    name: 'oidcc-ensure-registered-redirect-uri',
    appliesTo: everywhere,
    async run(context) {
      const unknown = `${redirectUri}/${randomBytes(5).toString('hex')}`
      const visit = await authorize(context, { params: { redirect_uri: unknown } })
      expect(visit.shown).toEqual([])
      expectErrorPage(visit, /redirect_uri/)
      return undefined
    },
  },
  {
    name: 'oidcc-ensure-request-without-nonce-fails',
    appliesTo: (type) => hasIdToken(type) || 'nonce is optional: no ID token comes from the authorization endpoint',
    async run(context) {
      const visit = await authorize(context, { params: { nonce: undefined } })
      expect(visit.shown).toEqual([])
      expect(errorOf(context, visit)).toBe('invalid_request')
      return undefined
    },
  },
  {
    name: 'oidcc-prompt-none-not-logged-in',
    appliesTo: everywhere,
    async run(context) {
      const state = randomBytes(64).toString('hex')
      const visit = await authorize(context, { params: { prompt: 'none', state } })
      expect(visit.shown).toEqual([])
      expect(errorOf(context, visit)).toBe('login_required')
      return undefined
    },
  },
]
