import { sql } from '@icosa/kernel'
import { describe, expect, test } from 'vitest'
import { checkPassword } from '../passwords/passwords.ts'
import { resetPassword, startReset } from '../passwords/reset.ts'
import { acceptInvitation, invite } from '../people/invitations.ts'
import { createPerson, deletePerson, findByEmail, findById, setDisabled, updateProfile } from '../people/people.ts'
import { startPeople, type TestMail, type TestPeople } from '../people/testing/service.ts'
import { claimAddress, startVerification, verifyAddress } from '../people/verification.ts'
import { readLink } from './links.ts'

const email = 'ada@example.com'
const [password, another] = ['a loom weaves algebra', 'a loom weaves flowers']
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const ended = { kind: 'invalid', code: 'LinkEnded' }

const withAda = (people: TestPeople, emailVerified = false) =>
  createPerson(people.db, people.clock, { email, password, emailVerified })
const signIn = (people: TestPeople, guess: string) =>
  checkPassword(people.context, { email, password: guess, address: '192.0.2.1' })

async function onlyMail(people: TestPeople): Promise<TestMail> {
  const [mail, ...more] = await people.mails()
  expect(more).toEqual([])
  return mail ?? expect.fail('no mail')
}

describe('verifying an address', () => {
  test('accepts the newest link, once, within a day', async () => {
    await using people = await startPeople()
    const { context } = people
    const ada = await withAda(people)
    await startVerification(context, ada)
    const first = await onlyMail(people)
    expect(first).toMatchObject({ to: email, subject: 'Confirm your e-mail address for Icosa' })
    await startVerification(context, ada)
    const { token } = await onlyMail(people)
    await expect(verifyAddress(context, first.token, ada.id), 'an older link').rejects.toMatchObject(ended)
    await expect(resetPassword(context, token, another), 'for another purpose').rejects.toMatchObject(ended)

    expect(await readLink(context, 'verify', token)).toMatchObject({ email })
    expect((await findById(people.db, ada.id))?.emailVerified, 'opening the link changes nothing').toBe(false)
    await expect(verifyAddress(context, token, 'prs_other'), 'of another account').rejects.toMatchObject({
      kind: 'forbidden',
    })
    const uses = await Promise.allSettled([1, 2, 3, 4].map(() => verifyAddress(context, token, ada.id)))
    expect(uses.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected'])
    expect((await findById(people.db, ada.id))?.emailVerified).toBe(true)
    expect(await readLink(context, 'verify', token)).toBeUndefined()

    await startVerification(context, ada)
    const late = await onlyMail(people)
    await people.app.clock.advance(24 * hourMs)
    await expect(verifyAddress(context, late.token, ada.id)).rejects.toMatchObject(ended)
    await expect(verifyAddress(context, '', ada.id)).rejects.toMatchObject(ended)
  })

  test('by someone who did not create the account creates a new one, once', async () => {
    await using people = await startPeople()
    const { context } = people
    const ada = await withAda(people)
    const { id } = ada
    await startVerification(context, ada)
    const { token } = await onlyMail(people)
    await expect(claimAddress(context, token, 'short'), 'and the link still works').rejects.toMatchObject({
      kind: 'invalid',
    })
    const uses = await Promise.allSettled([1, 2, 3, 4].map((nth) => claimAddress(context, token, `${another} ${nth}`)))
    expect(uses.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected'])
    expect(uses.find(({ status }) => status === 'fulfilled')).toMatchObject({
      value: { replaced: id, person: { emailVerified: true } },
    })
    expect(await findById(people.db, id)).toBeUndefined()
    expect(await signIn(people, password)).toEqual({ outcome: 'wrong' })
  })

  test('sends at most three mails an hour, also for concurrent requests', async () => {
    await using people = await startPeople()
    const ada = await withAda(people)
    const requests = await Promise.allSettled(Array.from({ length: 8 }, () => startVerification(people.context, ada)))
    expect(requests.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(requests.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { kind: 'rateLimited' } })
    expect(await people.mails(), 'replaced ones are not sent').toHaveLength(1)
    await startReset(people.context, email)
    expect(await people.mails(), 'for another purpose').toHaveLength(1)
    await people.app.clock.advance(hourMs)
    await startVerification(people.context, ada)
    expect(await people.mails()).toHaveLength(1)
  })
})

test('the database never contains a usable secret', async () => {
  await using people = await startPeople()
  await startVerification(people.context, await withAda(people))
  const everything = async () =>
    JSON.stringify([
      await people.db.many(sql`select l::text from identity_connect.links l`),
      await people.db.many(sql`select encode(hash, 'escape'), link from identity_connect.link_tokens`),
      await people.db.many(sql`select payload from icosa.jobs`),
    ])
  const before = await everything()
  const { token } = await onlyMail(people)
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(before).toContain('sendMail')
  expect(before).not.toContain(token)
  expect(await everything()).not.toContain(token)
})

describe('resetting a password', () => {
  test('sets it, verifies the address, unlocks the account and notifies the owner', async () => {
    await using people = await startPeople()
    const { context } = people
    const { id } = await withAda(people, true)
    for (let failure = 0; failure < 5; failure++) await signIn(people, 'wrong')
    expect(await signIn(people, password)).toMatchObject({ outcome: 'locked' })

    await startReset(context, 'ADA@example.com')
    const { token, to } = await onlyMail(people)
    expect(to, 'as stored in the account').toBe(email)
    await expect(resetPassword(context, token, 'short'), 'and the link still works').rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('12 to 128'),
    })
    const { person, replaced } = await resetPassword(context, token, another)
    expect(person).toMatchObject({ id, emailVerified: true, hasPassword: true })
    expect(replaced).toBeUndefined()
    expect(await signIn(people, another)).toMatchObject({ outcome: 'ok' })
    expect(await signIn(people, password)).toEqual({ outcome: 'wrong' })
    expect(await onlyMail(people)).toMatchObject({ subject: 'Your password for Icosa was changed' })
    await expect(resetPassword(context, token, another)).rejects.toMatchObject(ended)
  })

  test('works for half an hour', async () => {
    await using people = await startPeople()
    await withAda(people)
    await startReset(people.context, email)
    const { token } = await onlyMail(people)
    await people.app.clock.advance(30 * minuteMs)
    await expect(resetPassword(people.context, token, another)).rejects.toMatchObject(ended)
  })

  test('behaves the same for an address without an account, but sends no mail', async () => {
    await using people = await startPeople()
    const disabled = await createPerson(people.db, people.clock, { email: 'gone@example.com', emailVerified: true })
    await setDisabled(people.db, people.clock, disabled.id, true)
    await withAda(people)
    const trace = async (address: string) => {
      const results = []
      for (let time = 0; time < 5; time++) results.push(await startReset(people.context, address))
      const rows = await people.db.many(sql`
        select purpose, person, expires_at - created_at as valid, ended_at is null as open
        from identity_connect.links where email = ${address} order by created_at`)
      return { results, rows }
    }
    const expected = await trace(email)
    expect(expected.rows).toHaveLength(3)
    expect(await trace('nobody@example.com')).toEqual(expected)
    expect(await trace('gone@example.com')).toEqual(expected)
    expect(await startReset(people.context, 'no address')).toBeUndefined()
    expect(await people.mails()).toMatchObject([{ to: email }])
  })

  test("removes an impostor's account that was created before the owner's", async () => {
    await using people = await startPeople()
    const { db, context } = people
    const { id } = await withAda(people, false)
    await updateProfile(db, people.clock, id, { address: { street_address: '1 Impostor Street' } })
    await db.run(sql`
      insert into identity_connect.passkeys values ('pk_1', ${id}, 'credential', 'mine', '', 0, '{}', now())`)
    await db.run(sql`insert into identity_connect.consents values (${id}, 'evil', '{openid}', '{}', now(), now())`)
    await startReset(context, email)
    const { token } = await onlyMail(people)
    const { person, replaced } = await resetPassword(context, token, another)
    expect(replaced).toBe(id)
    expect(person).toMatchObject({ email, emailVerified: true, hasPassword: true, profile: {} })
    expect([person.id, person.tenant]).not.toContain(id)
    expect(person.tenant).toBe(`person-${person.id}`)
    expect(await findById(db, id)).toBeUndefined()
    expect(await db.many(sql`select 1 from identity_connect.passkeys`)).toEqual([])
    expect(await db.many(sql`select 1 from identity_connect.consents`)).toEqual([])
    expect(await signIn(people, password)).toEqual({ outcome: 'wrong' })
    expect(await signIn(people, another)).toMatchObject({ outcome: 'ok', person: { id: person.id } })
  })

  test('does not replace a disabled account', async () => {
    await using people = await startPeople()
    const { id } = await withAda(people, false)
    await startReset(people.context, email)
    const { token } = await onlyMail(people)
    await setDisabled(people.db, people.clock, id, true)
    await expect(resetPassword(people.context, token, another)).rejects.toMatchObject({ kind: 'forbidden' })
  })

  test('fails if the account has been deleted meanwhile', async () => {
    await using people = await startPeople()
    const { id } = await withAda(people)
    await startReset(people.context, email)
    const { token } = await onlyMail(people)
    await deletePerson(people.db, id)
    await expect(resetPassword(people.context, token, another)).rejects.toMatchObject({ kind: 'notFound' })
  })
})

describe('an invitation', () => {
  const acme = { email, tenant: 'acme', permissions: ['backup:List*'], invitedBy: 'bob@example.com' }

  test('creates a verified account with its tenant and permissions', async () => {
    await using people = await startPeople()
    const { context } = people
    await invite(context, acme)
    const { token, raw, to } = await onlyMail(people)
    expect(to).toBe(email)
    expect(raw).toContain('bob@example.com invites you to Icosa.')
    expect(await readLink(context, 'invitation', token)).toEqual({ email, person: null, hasAccount: false })
    await people.app.clock.advance(7 * 24 * hourMs - minuteMs)
    const { person } = await acceptInvitation(context, token, { name: 'Ada', password })
    expect(person).toMatchObject({ emailVerified: true, tenant: 'acme', permissions: ['backup:List*'] })
    expect(await signIn(people, password)).toMatchObject({ outcome: 'ok', person: { profile: { name: 'Ada' } } })
    await expect(acceptInvitation(context, token, { password })).rejects.toMatchObject(ended)
  })

  test('ends after seven days or with a newer one of the same tenant', async () => {
    await using people = await startPeople()
    const { context } = people
    await invite(context, acme)
    const first = await onlyMail(people)
    await invite(context, { email, invitedBy: 'key_1' })
    const own = await onlyMail(people)
    expect(own.raw).toContain('Someone invites you')
    await invite(context, acme)
    await onlyMail(people)
    await expect(acceptInvitation(context, first.token, { password })).rejects.toMatchObject(ended)
    await expect(invite(context, acme), 'the fourth within the hour').rejects.toMatchObject({ kind: 'rateLimited' })
    const { person } = await acceptInvitation(context, own.token, { password })
    expect(person.tenant).toBe(`person-${person.id}`)

    await people.app.clock.advance(hourMs)
    await invite(context, acme)
    const { token } = await onlyMail(people)
    await people.app.clock.advance(7 * 24 * hourMs)
    await expect(acceptInvitation(context, token, { password })).rejects.toMatchObject(ended)
  })

  test('moves a verified account and keeps its password', async () => {
    await using people = await startPeople()
    await withAda(people, true)
    await invite(people.context, acme)
    const { token } = await onlyMail(people)
    expect(await readLink(people.context, 'invitation', token)).toEqual({ email, person: null, hasAccount: true })
    const { person, replaced } = await acceptInvitation(people.context, token, { password: another })
    expect(person).toMatchObject({ tenant: 'acme', permissions: ['backup:List*'] })
    expect(replaced).toBeUndefined()
    expect(await signIn(people, password)).toMatchObject({ outcome: 'ok' })
  })

  test('grants nothing to an unverified or disabled account of the address', async () => {
    await using people = await startPeople()
    const { id } = await withAda(people, false)
    await invite(people.context, acme)
    const { token } = await onlyMail(people)
    const { person, replaced } = await acceptInvitation(people.context, token, { password: another })
    expect([replaced, person.id === id]).toEqual([id, false])
    expect(await signIn(people, password)).toEqual({ outcome: 'wrong' })
    expect(await signIn(people, another)).toMatchObject({ outcome: 'ok', person: { tenant: 'acme' } })

    await setDisabled(people.db, people.clock, person.id, true)
    await invite(people.context, { ...acme, tenant: 'other' })
    const next = await onlyMail(people)
    await expect(acceptInvitation(people.context, next.token, {})).rejects.toMatchObject({ kind: 'forbidden' })
    expect((await findByEmail(people.db, email))?.tenant).toBe('acme')
  })

  test('is rejected with an invalid tenant, permission or address', async () => {
    await using people = await startPeople()
    for (const wrong of [
      { tenant: '../acme' },
      { permissions: ['everything'] },
      { email: 'a@example.com\nBcc: b@c.d' },
    ])
      await expect(invite(people.context, { ...acme, ...wrong })).rejects.toMatchObject({ kind: 'invalid' })
  })
})
