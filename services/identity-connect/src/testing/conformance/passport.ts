import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'

/** The strategy has no types, and is a CommonJS module. */
const OpenIdConnectStrategy = createRequire(import.meta.url)('passport-openidconnect') as new (
  options: Readonly<Record<string, unknown>>,
  verify: (issuer: string, profile: Profile, done: (error: unknown, user: unknown) => void) => void,
) => object

export interface Profile {
  readonly id: string
  readonly displayName?: string
  readonly emails?: readonly { readonly value: string }[]
}

export interface PassportApp extends AsyncDisposable {
  readonly url: string
  readonly callback: string
}

export interface PassportClient {
  readonly issuer: string
  client(callback: string): Promise<{ readonly client_id: string; readonly client_secret: string }>
}

/** A Passport application: /login redirects to the provider, /callback returns the profile. */
export async function startPassportApp({ issuer, client }: PassportClient): Promise<PassportApp> {
  let strategy: object
  const session = {} // one visitor, so one session is enough
  const server = createServer((request, response) => authenticate(strategy, request, response, session))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const callback = `${url}/callback`
  const { client_id, client_secret } = await client(callback)
  strategy = new OpenIdConnectStrategy(
    {
      issuer,
      authorizationURL: `${issuer}/authorize`,
      tokenURL: `${issuer}/token`,
      userInfoURL: `${issuer}/userinfo`,
      clientID: client_id,
      clientSecret: client_secret,
      callbackURL: callback,
      scope: ['profile', 'email'],
      nonce: true,
      skipUserProfile: false,
    },
    (_, profile, done) => done(null, profile),
  )
  return {
    url,
    callback,
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** As Passport does for every request: adds result callbacks to a copy of the strategy. */
function authenticate(strategy: object, request: IncomingMessage, response: ServerResponse, session: object): void {
  const { searchParams } = new URL(request.url ?? '/', 'http://app')
  const reply = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body))
  const attempt = Object.assign(Object.create(strategy), {
    success: (user: Profile) => reply(200, user),
    fail: (challenge: unknown, status = 401) => reply(status, challenge),
    redirect: (location: string) => response.writeHead(302, { location }).end(),
    error: (error: unknown) => reply(500, String(error)),
  })
  attempt.authenticate(Object.assign(request, { query: Object.fromEntries(searchParams), session }), {})
}
