import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jwtVerify } from 'jose'
import { expect } from 'vitest'
import { expectNow, type IdToken } from '../claims.ts'
import { signInAt } from '../flow.ts'
import { type Context, everywhere, type Module } from '../plan.ts'
import { backchannelDiscovery } from './discovery.ts'
import { expectSignedOut, signOut } from './logout.ts'

export const backchannelModules: readonly Module[] = [
  backchannelDiscovery,
  {
    name: 'oidcc-backchannel-rp-initiated-logout',
    appliesTo: everywhere,
    alone: true,
    async run(plan) {
      await using receiver = await startReceiver()
      const context = await plan.withClient({
        backchannel_logout_uri: receiver.url,
        backchannel_logout_session_required: true,
      })
      const outcome = await signInAt(context)
      await signOut(context, outcome)
      await context.identity.app.jobs.drain()
      expect(receiver.received.length).toBe(1)
      await checkLogoutToken(context, receiver.received[0] ?? new URLSearchParams(), outcome.idToken)
      await expectSignedOut(context, outcome.visitor)
      return undefined
    },
  },
]

async function checkLogoutToken(context: Context, form: URLSearchParams, { claims }: IdToken): Promise<void> {
  expect([...form.keys()]).toEqual(['logout_token'])
  const { payload, protectedHeader } = await jwtVerify(form.get('logout_token') ?? '', context.keys, {
    issuer: context.identity.issuer,
    audience: context.client.client_id,
    algorithms: ['RS256'],
    requiredClaims: ['iss', 'aud', 'iat', 'jti', 'events'],
  })
  expect(protectedHeader.typ).toBe('logout+jwt')
  expect(payload.events).toEqual({ 'http://schemas.openid.net/event/backchannel-logout': {} })
  expectNow(payload.iat)
  expect(payload.sub).toBe(claims.sub)
  expect(payload.sid).toBeTruthy()
  expect(payload.sid).toBe(claims.sid)
  expect(payload).not.toHaveProperty('nonce')
}

interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly received: readonly URLSearchParams[]
}

/** The client's server. */
async function startReceiver(): Promise<Receiver> {
  const received: URLSearchParams[] = []
  const server = createServer(async (request, response) => {
    expect(request.method).toBe('POST')
    expect(request.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/)
    received.push(new URLSearchParams(await textOf(request)))
    response.writeHead(200, { 'cache-control': 'no-store' }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/backchannel_logout`,
    received,
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}
