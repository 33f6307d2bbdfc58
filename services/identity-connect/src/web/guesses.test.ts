import { expect, test } from 'vitest'
import { ada, type IdentityApp, startIdentity } from '../testing/app.ts'
import type { Browser, Page } from '../testing/browser.ts'

// All requests come from one address, as behind an unconfigured proxy.
const bob = { name: 'Bob', email: 'bob@example.com', password: 'difference engine no. 2' }
const account = ({ issuer }: IdentityApp) => `${issuer}/account`
const isSignedIn = ({ text }: Page) => text.includes('<h1>Your account</h1>')

async function trySignIn(identity: IdentityApp, visitor: Browser, { email, password }: Omit<typeof bob, 'name'>) {
  const page = await visitor.open(account(identity))
  return visitor.follow(await visitor.submit(page, '/sign-in', { email, password }))
}

async function signOut({ issuer }: IdentityApp, visitor: Browser) {
  await visitor.submit(await visitor.get(`${issuer}/session/end`), '/session/end/confirm', { logout: 'yes' })
}

/** Guesses with forged client addresses. */
async function guess(identity: IdentityApp, times: number, emailOf: (nth: number) => string): Promise<Page[]> {
  const visitor = identity.browser()
  const { url } = await visitor.open(account(identity))
  return Promise.all(
    Array.from({ length: times }, (_, nth) => {
      const forged = { 'x-forwarded-for': `203.0.113.${nth}, 10.0.0.1` }
      return visitor.post(`${url}/sign-in`, { email: emailOf(nth), password: `wrong ${nth}` }, forged)
    }),
  )
}

test('guesses from behind the same proxy do not prevent sign-ins', async () => {
  await using identity = await startIdentity()
  await Promise.all([identity.person(), identity.person(bob)])
  const device = identity.browser()
  expect(isSignedIn(await trySignIn(identity, device, ada))).toBe(true)
  await signOut(identity, device)

  const responses = await guess(identity, 60, (nth) => `nobody${nth}@example.com`)
  expect(new Set(responses.map(({ status }) => status)), 'wrong, but not limited').toEqual(new Set([400]))
  expect(isSignedIn(await trySignIn(identity, device, ada)), 'a known device').toBe(true)
  expect(isSignedIn(await trySignIn(identity, identity.browser(), bob)), 'a new one').toBe(true)
})

test('an account under attack returns Retry-After, whatever addresses the guesses claim', async () => {
  await using identity = await startIdentity()
  await Promise.all([identity.person(), identity.person(bob)])
  const device = identity.browser()
  await trySignIn(identity, device, ada)
  await signOut(identity, device)

  const responses = await guess(identity, 20, () => ada.email)
  expect(responses.map(({ status }) => status).sort()).toEqual([...Array(5).fill(400), ...Array(15).fill(429)])
  const refused = await trySignIn(identity, identity.browser(), ada)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(14 * 60)
  expect(refused.text).toContain('Try again in 15 minutes, use a passkey, or choose a new password by mail.')
  expect(isSignedIn(await trySignIn(identity, device, ada)), 'on a known device').toBe(true)
  expect(isSignedIn(await trySignIn(identity, identity.browser(), bob)), 'of another account').toBe(true)
})

test('a user locked out on a new device resets the password by mail, and is then not locked out', async () => {
  await using identity = await startIdentity()
  await identity.person()
  await guess(identity, 6, () => ada.email)
  const visitor = identity.browser()
  expect((await trySignIn(identity, visitor, ada)).status).toBe(429)
  await visitor.post(`${identity.issuer}/forgot`, { email: ada.email })
  const [mail = ''] = await identity.mails()
  const [, token = ''] = /reset\?token=([\w-]+)/.exec(mail.replace(/=\r?\n/g, '').replaceAll('=3D', '=')) ?? []
  const password = 'analytical engine no. 3'
  await visitor.submit(await visitor.get(`${identity.issuer}/reset?token=${token}`), '/reset', { password })
  await guess(identity, 6, () => ada.email)
  expect(isSignedIn(await trySignIn(identity, visitor, { ...ada, password }))).toBe(true)
  expect((await trySignIn(identity, identity.browser(), { ...ada, password })).status, 'elsewhere').toBe(429)
})

test('the device cookie is host-only', async () => {
  const origin = 'https://id.example.com'
  await using identity = await startIdentity({ publicUrls: [origin] })
  await identity.person()
  const visitor = identity.browser()
  const inside = ({ location }: Page) => `${identity.app.url}${location?.pathname}${location?.search}`
  const start = await visitor.get(inside(await visitor.get(account(identity))))
  const { email, password } = ada
  const signedIn = await visitor.post(`${inside(start)}/sign-in`, { email, password }, { origin })
  const cookies = signedIn.headers.getSetCookie().filter((cookie) => cookie.includes('icosa_device='))
  expect(cookies).toEqual([
    expect.stringMatching(
      /^__Host-icosa_device=[\w-]{16}\.[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    ),
  ])
})
