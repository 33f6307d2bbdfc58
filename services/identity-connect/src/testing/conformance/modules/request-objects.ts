import { expect } from 'vitest'
import { redirectUri } from '../../app.ts'
import { answerOf, authorize, expectErrorPage } from '../authorize.ts'
import { type Context, everywhere, type Module } from '../plan.ts'

/** Request objects are not supported, which the suite allows, if they are refused rather than overlooked. */
export const requestObjectModules: readonly Module[] = [
  {
    name: 'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported',
    appliesTo: everywhere,
    run: (context) => refusedAs('request_not_supported', context, { request: requestObject(context) }),
  },
  {
    name: 'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported',
    appliesTo: everywhere,
    run: (context) => refusedAs('request_uri_not_supported', context, { request_uri: 'https://rp.example/request' }),
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

/** The state is in the object only, so it cannot come back. */
async function refusedAs(error: string, context: Context, given: Record<string, string>) {
  const visit = await authorize(context, { params: { state: undefined, nonce: undefined, ...given } })
  expect(visit.shown).toEqual([])
  const { params } = answerOf(context, visit)
  expect(params.get('error')).toBe(error)
  expect(params.get('iss')).toBe(context.identity.issuer)
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
