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

// Somebody makes an account with an address that is not theirs, and waits for its owner.
const owner = { name: 'Ada', email: 'ada@example.com', password: 'only Ada knows this' }
const stranger = { name: 'Eve', email: owner.email, password: 'Eve knows this one' }

const account = ({ issuer }: IdentityApp) => `${issuer}/account`
const isIn = ({ text }: Page) => text.includes('<h1>Your account</h1>')

const contextOf = (identity: IdentityApp) =>
  peopleContext(identity.app.platform, {
    service: serviceName,
    sendMail: mailJob({ from: 'Icosa <no-reply@icosa.test>', transport: { kind: 'directory', path: 'unused' } }),
    brand: 'Icosa',
    page: (name) => `${identity.issuer}/${name}`,
  })

/** The path in the last mail that has one. */
async function mailed(identity: IdentityApp, page: string): Promise<string> {
  const mails = (await identity.mails()).map((mail) => mail.replace(/=\r?\n/g, '').replaceAll('=3D', '='))
  const found = mails.map((mail) => new RegExp(`${identity.issuer}/${page}\\?token=[\\w-]+`).exec(mail)?.[0])
  return found.filter(Boolean).at(-1) ?? expect.fail(`no mail leads to ${page}`)
}

async function signUp(identity: IdentityApp, visitor: Browser, person: typeof stranger): Promise<Page> {
  const page = await visitor.open(account(identity))
  const form = await visitor.get(`${page.url.href}/sign-up`)
  return visitor.follow(await visitor.submit(form, '/sign-up', person))
}

async function tryIn(identity: IdentityApp, visitor: Browser, { email, password }: typeof stranger): Promise<Page> {
  const page = await visitor.open(account(identity))
  return visitor.follow(await visitor.submit(page, '/sign-in', { email, password }))
}

/** Eve has a session, a password, a consent, a token, and a sign-in that she has not finished. */
async function prepare(identity: IdentityApp) {
  const visitor = identity.browser()
  expect(isIn(await signUp(identity, visitor, stranger))).toBe(true)
  const { client_id, client_secret } = await identity.client()
  const request = { client_id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid email', state: 'st' }
  const address = `${identity.issuer}/authorize?${new URLSearchParams(request)}`
  const end = await signIn(visitor, await visitor.get(address), stranger)
  const code = end.location?.searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, client_id, client_secret }
  const answer = await fetch(`${identity.issuer}/token`, { method: 'POST', body: new URLSearchParams(form) })
  const { access_token } = (await answer.json()) as { access_token: string }
  const waiting = identity.browser()
  const { email, password } = stranger
  const unfinished = await waiting.submit(await waiting.open(account(identity)), '/sign-in', { email, password })
  expect(unfinished.status).toBe(303)
  const userInfo = () => fetch(`${identity.issuer}/userinfo`, { headers: { authorization: `Bearer ${access_token}` } })
  expect((await userInfo()).status).toBe(200)

  return {
    /** Whatever Eve tries, she is nobody. */
    async isOut(): Promise<void> {
      expect(isIn(await visitor.open(account(identity))), 'her session').toBe(false)
      expect((await visitor.follow(await visitor.get(address))).text, 'her consent').toContain('/sign-in"')
      expect(isIn(await waiting.follow(unfinished)), 'what she had not finished').toBe(false)
      expect((await userInfo()).status, 'her token').toBe(401)
      const again = await tryIn(identity, identity.browser(), stranger)
      expect([again.status, isIn(again)], 'her password').toEqual([400, false])
    },
  }
}

test('the mail that asks whether the address is theirs gives its owner an account without the stranger', async () => {
  await using identity = await startIdentity()
  const eve = await prepare(identity)
  const visitor = identity.browser()
  const page = await visitor.get(await mailed(identity, 'verify'))
  expect(page.text).toContain('name="password"')
  const token = page.url.searchParams.get('token') ?? ''
  const blind = await visitor.post(`${identity.issuer}/verify`, { token })
  expect(blind.status, 'the link alone confirms nothing').toBe(400)

  const done = await visitor.submit(page, '/verify', { password: owner.password })
  expect(done.text).toContain('Address confirmed')
  await eve.isOut()
  expect(isIn(await tryIn(identity, visitor, owner))).toBe(true)
  const person = await findByEmail(identity.app.platform.database, owner.email)
  expect(person).toMatchObject({ emailVerified: true, profile: {} })
})

test('so does a forgotten password, and so does an invitation', async () => {
  await using identity = await startIdentity()
  const eve = await prepare(identity)
  const visitor = identity.browser()
  await visitor.post(`${identity.issuer}/forgot`, { email: owner.email })
  const reset = await visitor.get(await mailed(identity, 'reset'))
  expect((await visitor.submit(reset, '/reset', { password: owner.password })).status).toBe(200)
  await eve.isOut()
  expect(isIn(await tryIn(identity, visitor, owner))).toBe(true)

  await using another = await startIdentity()
  const again = await prepare(another)
  await invite(contextOf(another), { email: owner.email, tenant: 'acme', invitedBy: 'bob@example.com' })
  const invited = another.browser()
  const form = await invited.open(await mailed(another, 'invitation'))
  const { name, password } = owner
  expect(isIn(await invited.follow(await invited.submit(form, '/sign-up', { name, password })))).toBe(true)
  await again.isOut()
})

test('whoever confirms where they signed up keeps what they have', async () => {
  await using identity = await startIdentity()
  const visitor = identity.browser()
  await signUp(identity, visitor, owner)
  const before = await findByEmail(identity.app.platform.database, owner.email)
  const page = await visitor.get(await mailed(identity, 'verify'))
  expect(page.text).not.toContain('type="password"')
  expect((await visitor.submit(page, '/verify')).text).toContain('is yours: thank you.')
  const after = await findByEmail(identity.app.platform.database, owner.email)
  expect(after).toMatchObject({ id: before?.id, emailVerified: true, profile: { name: owner.name } })
  expect(isIn(await visitor.open(account(identity)))).toBe(true)
})

test('a session of somebody else confirms nothing', async () => {
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

test('a stranger who changes the password at that very moment changes nothing', async () => {
  await using identity = await startIdentity()
  await signUp(identity, identity.browser(), stranger)
  const context = contextOf(identity)
  const { database } = identity.app.platform
  const eve = (await findByEmail(database, owner.email)) ?? expect.fail('no account')
  const token = (await mailed(identity, 'verify')).split('=')[1] ?? ''
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

test('a sign-in that was prepared with the old password ends with it', async () => {
  await using identity = await startIdentity()
  await identity.person(owner)
  const thief = identity.browser()
  const { email, password } = owner
  const prepared = await thief.submit(await thief.open(account(identity)), '/sign-in', { email, password })
  const visitor = identity.browser()
  await visitor.post(`${identity.issuer}/forgot`, { email })
  const reset = await visitor.get(await mailed(identity, 'reset'))
  await visitor.submit(reset, '/reset', { password: 'another one altogether' })
  expect(isIn(await thief.follow(prepared))).toBe(false)
  expect(isIn(await thief.open(account(identity)))).toBe(false)
})
