import { expect } from 'vitest'
import { expectStandardClaims } from '../claims.ts'
import { signInAt } from '../flow.ts'
import { type Module, withAccessToken } from '../plan.ts'

export const userInfoModules: readonly Module[] = [
  userInfoModule('oidcc-userinfo-get', (token) => ({ headers: bearer(token) })),
  userInfoModule('oidcc-userinfo-post-header', (token) => ({ method: 'POST', headers: bearer(token) })),
  userInfoModule('oidcc-userinfo-post-body', (token) => ({
    method: 'POST',
    body: new URLSearchParams({ access_token: token }),
  })),
]

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

function userInfoModule(name: string, request: (token: string) => RequestInit): Module {
  return {
    name,
    appliesTo: withAccessToken,
    async run(context) {
      const { accessToken = '', fromAuthorization, fromToken } = await signInAt(context)
      const response = await fetch(context.config.serverMetadata().userinfo_endpoint ?? '', request(accessToken))
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toMatch(/^application\/json/)
      const claims = (await response.json()) as Record<string, unknown>
      expectStandardClaims(claims)
      expect(claims).not.toHaveProperty('_claim_names')
      expect(claims.sub).toBe(context.person.sub)
      for (const token of [fromAuthorization, fromToken]) if (token) expect(claims.sub).toBe(token.claims.sub)
      return undefined
    },
  }
}
