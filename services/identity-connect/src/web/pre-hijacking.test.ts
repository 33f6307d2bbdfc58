import { expect, test } from 'vitest'
import { mailJob } from '../mail/job.ts'
import { serviceName } from '../names.ts'
import { changePassword, checkPassword } from '../passwords/passwords.ts'
import { peopleContext } from '../people/context.ts'
import { invite } from '../people/invitations.ts'
import { findByEmail } from '../people/people.ts'
import { claimAddress } from '../people/verification.ts'
import { type IdentityApp, redirectUri, signIn, startIdentity } from '../testing/app.ts'
import type { Browser, Page } from '../testing/browser.ts'

// Account pre-hijacking: Eve creates an account with Ada's address, and waits for Ada.
const owner = { name: 'Ada', email: 'ada@example.com', password: 'only Ada knows this' }
const impostor = { name: 'Eve', email: owner.email, password: 'Eve knows this one' }

const account = ({ issuer }: IdentityApp) => `${issuer}/account`
const isSignedIn = ({ text }: Page) => text.includes('<h1>Your account</h1>')

const contextOf = (identity: IdentityApp) =>
  peopleContext(identity.app.platform, {
    service: serviceName,
    sendMail: mailJob({ from: 'Icosa <no-reply@icosa.test>', transport: { kind: 'directory', path: 'unused' } }),
    brand: 'Icosa',
    page: (name) => `${identity.issuer}/${name}`,
  })

/** Returns the link to a page from the last mail that has one. */
async function mailedLink(identity: IdentityApp, page: string): Promise<string> {
  const mails = (await identity.mails()).map((mail) => mail.replace(/=\r?\n/g, '').replaceAll('=3D', '='))
  const links = mails.map((mail) => new RegExp(`${identity.issuer}/${page}\\?token=[\\w-]+`).exec(mail)?.[0])
  return links.filter(Boolean).at(-1) ?? expect.fail(`no mail leads to ${page}`)
}

async function signUp(identity: IdentityApp, visitor: Browser, person: typeof impostor): Promise<Page> {
  const page = await visitor.open(account(identity))
  const form = await visitor.get(`${page.url.href}/sign-up`)
  return visitor.follow(await visitor.submit(form, '/sign-up', person))
}

async function trySignIn(identity: IdentityApp, visitor: Browser, { email, password }: typeof impostor): Promise<Page> {
  const page = await visitor.open(account(identity))
  return visitor.follow(await visitor.submit(page, '/sign-in', { email, password }))
}

/** Eve has a session, a password, a consent, a token, and an unfinished sign-in. */
async function prepare(identity: IdentityApp) {
  const visitor = identity.browser()
  expect(isSignedIn(await signUp(identity, visitor, impostor))).toBe(true)
  const { client_id, client_secret } = await identity.client()
  const request = { client_id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid email', state: 'st' }
  const address = `${identity.issuer}/authorize?${new URLSearchParams(request)}`
  const end = await signIn(visitor, await visitor.get(address), impostor)
  const code = end.location?.searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, client_id, client_secret }
  const response = await fetch(`${identity.issuer}/token`, { method: 'POST', body: new URLSearchParams(form) })
  const { access_token } = (await response.json()) as { access_token: string }
  const waiting = identity.browser()
  const { email, password } = impostor
  const unfinished = await waiting.submit(await waiting.open(account(identity)), '/sign-in', { email, password })
  expect(unfinished.status).toBe(303)
  const userInfo = () => fetch(`${identity.issuer}/userinfo`, { headers: { authorization: `Bearer ${access_token}` } })
  expect((await userInfo()).status).toBe(200)

  return {
    /** Checks that nothing that Eve prepared works. */
    async expectLockedOut(): Promise<void> {
      expect(isSignedIn(await visitor.open(account(identity))), 'her session').toBe(false)
      expect((await visitor.follow(await visitor.get(address))).text, 'her consent').toContain('/sign-in"')
      expect(isSignedIn(await waiting.follow(unfinished)), 'her unfinished sign-in').toBe(false)
      expect((await userInfo()).status, 'her token').toBe(401)
      const attempt = await trySignIn(identity, identity.browser(), impostor)
      expect([attempt.status, isSignedIn(attempt)], 'her password').toEqual([400, false])
    },
  }
}

test("the verification mail gives the owner a new account without the impostor's access", async () => {
  await using identity = await startIdentity()
  const eve = await prepare(identity)
  const visitor = identity.browser()
  const page = await visitor.get(await mailedLink(identity, 'verify'))
  expect(page.text).toContain('name="password"')
  const token = page.url.searchParams.get('token') ?? ''
  const withoutPassword = await visitor.post(`${identity.issuer}/verify`, { token })
  expect(withoutPassword.status, 'the link alone confirms nothing').toBe(400)

  const done = await visitor.submit(page, '/verify', { password: owner.password })
  expect(done.text).toContain('Address confirmed')
  await eve.expectLockedOut()
  expect(isSignedIn(await trySignIn(identity, visitor, owner))).toBe(true)
  const person = await findByEmail(identity.app.platform.database, owner.email)
  expect(person).toMatchObject({ emailVerified: true, profile: {} })
})

test('so do a password reset and an invitation', async () => {
  await using identity = await startIdentity()
  const eve = await prepare(identity)
  const visitor = identity.browser()
  await visitor.post(`${identity.issuer}/forgot`, { email: owner.email })
  const reset = await visitor.get(await mailedLink(identity, 'reset'))
  expect((await visitor.submit(reset, '/reset', { password: owner.password })).status).toBe(200)
  await eve.expectLockedOut()
  expect(isSignedIn(await trySignIn(identity, visitor, owner))).toBe(true)

  await using another = await startIdentity()
  const secondEve = await prepare(another)
  await invite(contextOf(another), { email: owner.email, tenant: 'acme', invitedBy: 'bob@example.com' })
  const invited = another.browser()
  const form = await invited.open(await mailedLink(another, 'invitation'))
  const { name, password } = owner
  expect(isSignedIn(await invited.follow(await invited.submit(form, '/sign-up', { name, password })))).toBe(true)
  await secondEve.expectLockedOut()
})

test('a user who confirms while signed in keeps the account', async () => {
  await using identity = await startIdentity()
  const visitor = identity.browser()
  await signUp(identity, visitor, owner)
  const before = await findByEmail(identity.app.platform.database, owner.email)
  const page = await visitor.get(await mailedLink(identity, 'verify'))
  expect(page.text).not.toContain('type="password"')
  expect((await visitor.submit(page, '/verify')).text).toContain('has been confirmed.')
  const after = await findByEmail(identity.app.platform.database, owner.email)
  expect(after).toMatchObject({ id: before?.id, emailVerified: true, profile: { name: owner.name } })
  expect(isSignedIn(await visitor.open(account(identity)))).toBe(true)
})

test("another user's session confirms nothing", async () => {
  await using identity = await startIdentity()
  await prepare(identity)
  const visitor = identity.browser()
  const bob = { name: 'Bob', email: 'bob@example.com', password: 'Bob knows this one' }
  await signUp(identity, visitor, bob)
  await identity.mails()
  const [link = ''] = (await identity.mails())
    .filter((mail) => mail.includes('To: ada@'))
    .flatMap((mail) => /verify\?token=[\w-]+/.exec(mail.replace(/=\r?\n/g, '').replaceAll('=3D', '=')) ?? [])
  const page = await visitor.get(`${identity.issuer}/${link}`)
  expect(page.text).toContain('type="password"')
  expect((await visitor.submit(page, '/verify')).status).toBe(400)
  expect((await findByEmail(identity.app.platform.database, owner.email))?.emailVerified).toBe(false)
})

test("an impostor's concurrent password change has no effect", async () => {
  await using identity = await startIdentity()
  await signUp(identity, identity.browser(), impostor)
  const context = contextOf(identity)
  const { database } = identity.app.platform
  const eve = (await findByEmail(database, owner.email)) ?? expect.fail('no account')
  const token = (await mailedLink(identity, 'verify')).split('=')[1] ?? ''
  const meanwhile = async () => {
    await claimAddress(context, token, owner.password)
  }
  await expect(changePassword(context, eve, 'Eve knows this, too', meanwhile)).rejects.toMatchObject({
    kind: 'conflict',
  })
  const guess = { email: owner.email, address: '192.0.2.1' }
  expect(await checkPassword(context, { ...guess, password: 'Eve knows this, too' })).toEqual({ outcome: 'wrong' })
  expect(await checkPassword(context, { ...guess, password: owner.password })).toMatchObject({ outcome: 'ok' })
})

test('an unfinished sign-in with the old password ends with it', async () => {
  await using identity = await startIdentity()
  await identity.person(owner)
  const thief = identity.browser()
  const { email, password } = owner
  const prepared = await thief.submit(await thief.open(account(identity)), '/sign-in', { email, password })
  const visitor = identity.browser()
  await visitor.post(`${identity.issuer}/forgot`, { email })
  const reset = await visitor.get(await mailedLink(identity, 'reset'))
  await visitor.submit(reset, '/reset', { password: 'another one altogether' })
  expect(isSignedIn(await thief.follow(prepared))).toBe(false)
  expect(isSignedIn(await thief.open(account(identity)))).toBe(false)
})
