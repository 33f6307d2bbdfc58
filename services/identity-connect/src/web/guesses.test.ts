import { expect, test } from 'vitest'
import { ada, type IdentityApp, startIdentity } from '../testing/app.ts'
import type { Browser, Page } from '../testing/browser.ts'

// All requests come from one address, as they do behind a proxy that nobody counted.
const bob = { name: 'Bob', email: 'bob@example.com', password: 'difference engine no. 2' }
const account = ({ issuer }: IdentityApp) => `${issuer}/account`
const isIn = ({ text }: Page) => text.includes('<h1>Your account</h1>')

async function tryIn(identity: IdentityApp, visitor: Browser, { email, password }: Omit<typeof bob, 'name'>) {
  const page = await visitor.open(account(identity))
  return visitor.follow(await visitor.submit(page, '/sign-in', { email, password }))
}

async function signOut({ issuer }: IdentityApp, visitor: Browser) {
  await visitor.submit(await visitor.get(`${issuer}/session/end`), '/session/end/confirm', { logout: 'yes' })
}

/** Guesses, each as if from another address. */
async function guess(identity: IdentityApp, times: number, emailOf: (each: number) => string): Promise<Page[]> {
  const visitor = identity.browser()
  const { url } = await visitor.open(account(identity))
  return Promise.all(
    Array.from({ length: times }, (_, each) => {
      const forged = { 'x-forwarded-for': `203.0.113.${each}, 10.0.0.1` }
      return visitor.post(`${url}/sign-in`, { email: emailOf(each), password: `wrong ${each}` }, forged)
    }),
  )
}

test('strangers who guess behind the same proxy keep nobody from signing in', async () => {
  await using identity = await startIdentity()
  await Promise.all([identity.person(), identity.person(bob)])
  const device = identity.browser()
  expect(isIn(await tryIn(identity, device, ada))).toBe(true)
  await signOut(identity, device)

  const answers = await guess(identity, 60, (each) => `nobody${each}@example.com`)
  expect(new Set(answers.map(({ status }) => status)), 'wrong, and no more').toEqual(new Set([400]))
  expect(isIn(await tryIn(identity, device, ada)), 'a known device').toBe(true)
  expect(isIn(await tryIn(identity, identity.browser(), bob)), 'a new one').toBe(true)
})

test('an account under attack says when to try again, wherever the guesses claim to come from', async () => {
  await using identity = await startIdentity()
  await Promise.all([identity.person(), identity.person(bob)])
  const device = identity.browser()
  await tryIn(identity, device, ada)
  await signOut(identity, device)

  const answers = await guess(identity, 20, () => ada.email)
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(400), ...Array(15).fill(429)])
  const refused = await tryIn(identity, identity.browser(), ada)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(14 * 60)
  expect(refused.text).toContain('Try again in 15 minutes, use a passkey, or choose a new password by mail.')
  expect(isIn(await tryIn(identity, device, ada)), 'where Ada has been before').toBe(true)
  expect(isIn(await tryIn(identity, identity.browser(), bob)), 'who is not attacked').toBe(true)
})

test('who is locked out on a new device gets in by mail, and stays in while the attack goes on', async () => {
  await using identity = await startIdentity()
  await identity.person()
  await guess(identity, 6, () => ada.email)
  const visitor = identity.browser()
  expect((await tryIn(identity, visitor, ada)).status).toBe(429)
  await visitor.post(`${identity.issuer}/forgot`, { email: ada.email })
  const [mail = ''] = await identity.mails()
  const [, token = ''] = /reset\?token=([\w-]+)/.exec(mail.replace(/=\r?\n/g, '').replaceAll('=3D', '=')) ?? []
  const password = 'analytical engine no. 3'
  await visitor.submit(await visitor.get(`${identity.issuer}/reset?token=${token}`), '/reset', { password })
  await guess(identity, 6, () => ada.email)
  expect(isIn(await tryIn(identity, visitor, { ...ada, password }))).toBe(true)
  expect((await tryIn(identity, identity.browser(), { ...ada, password })).status, 'elsewhere').toBe(429)
})

test('the cookie of a device is for us alone', async () => {
  const origin = 'https://id.example.com'
  await using identity = await startIdentity({ publicUrls: [origin] })
  await identity.person()
  const visitor = identity.browser()
  const inside = ({ location }: Page) => `${identity.app.url}${location?.pathname}${location?.search}`
  const start = await visitor.get(inside(await visitor.get(account(identity))))
  const { email, password } = ada
  const signedIn = await visitor.post(`${inside(start)}/sign-in`, { email, password }, { origin })
  const cookies = signedIn.headers.getSetCookie().filter((each) => each.includes('icosa_device='))
  expect(cookies).toEqual([
    expect.stringMatching(
      /^__Host-icosa_device=[\w-]{16}\.[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    ),
  ])
})
