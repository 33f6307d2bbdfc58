import { expect } from 'vitest'
import { redirectUri } from '../../app.ts'
import { authorize, expectErrorPage, responseOf } from '../authorize.ts'
import { type Context, everywhere, type Module } from '../plan.ts'

/** Request objects are not supported, which the suite allows if they are rejected rather than ignored. */
export const requestObjectModules: readonly Module[] = [
  {
    name: 'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported',
    appliesTo: everywhere,
    run: (context) => rejectedAs('request_not_supported', context, { request: requestObject(context) }),
  },
  {
    name: 'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported',
    appliesTo: everywhere,
    run: (context) => rejectedAs('request_uri_not_supported', context, { request_uri: 'https://rp.example/request' }),
  },
  {
    name: 'oidcc-ensure-request-object-with-redirect-uri',
    appliesTo: everywhere,
    async run(context) {
      const redirect_uri = `${redirectUri}_invalid`
      const visit = await authorize(context, {
        params: { state: undefined, nonce: undefined, redirect_uri, request: requestObject(context) },
      })
      expect(visit.shown).toEqual([])
      expectErrorPage(visit, /redirect_uri/)
      return undefined
    },
  },
]

/** The state is only in the object, so it is not returned. */
async function rejectedAs(error: string, context: Context, params: Record<string, string>) {
  const visit = await authorize(context, { params: { state: undefined, nonce: undefined, ...params } })
  expect(visit.shown).toEqual([])
  const response = responseOf(context, visit)
  expect(response.params.get('error')).toBe(error)
  expect(response.params.get('iss')).toBe(context.identity.issuer)
  return undefined
}

function requestObject({ client, identity, responseType }: Context): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = {
    iss: client.client_id,
    aud: identity.issuer,
    client_id: client.client_id,
    response_type: responseType,
    redirect_uri: redirectUri,
    scope: 'openid',
    state: 'in the object',
    nonce: 'in the object',
  }
  return `${part({ alg: 'none' })}.${part(claims)}.`
}
