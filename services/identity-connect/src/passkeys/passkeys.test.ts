import { sign, X509Certificate } from 'node:crypto'
import { certificate, privateKey } from '@icosa/delivery/testing/certificate'
import { sql } from '@icosa/kernel'
import { describe, expect, test } from 'vitest'
import { forgetExpired } from '../people/jobs.ts'
import { createPerson, type Person, setDisabled } from '../people/people.ts'
import { startPeople, type TestPeople } from '../people/testing/service.ts'
import * as passkeys from './passkeys.ts'
import { type Authenticator, softwareAuthenticator, type Tampering } from './testing/authenticator.ts'

const origin = 'https://id.example.com'
const rp = { id: 'id.example.com', origin, name: 'Icosa' }
const [ended, refused] = [{ code: 'ChallengeEnded' }, { kind: 'unauthenticated' }]

const person = (people: TestPeople, name = 'ada') =>
  createPerson(people.db, people.clock, { email: `${name}@example.com`, name, emailVerified: true })

async function register({ context }: TestPeople, owner: Person, authenticator: Authenticator, tampering?: Tampering) {
  const options = await passkeys.registrationOptions(context, rp, owner)
  return passkeys.register(context, rp, owner, {
    attestation: authenticator.create(options, tampering),
    name: 'Laptop',
  })
}

async function signIn({ context }: TestPeople, authenticator: Authenticator, tampering?: Tampering) {
  const options = await passkeys.authenticationOptions(context, rp)
  return passkeys.authenticate(context, rp, { assertion: authenticator.get(options, tampering) })
}

test('a passkey is registered, reported by mail, signs in without an address, is renamed and deleted', async () => {
  await using people = await startPeople()
  const { db, context } = people
  const ada = await person(people)
  const laptop = softwareAuthenticator(origin)
  const options = await passkeys.registrationOptions(context, rp, ada)
  expect(options).toMatchObject({
    rp: { id: 'id.example.com', name: 'Icosa' },
    user: { id: Buffer.from(ada.id).toString('base64url'), name: 'ada@example.com', displayName: 'ada' },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
    excludeCredentials: [],
  })
  const { id } = await register(people, ada, laptop)
  expect(await people.mails()).toMatchObject([
    { to: 'ada@example.com', subject: 'A passkey was added to your account at Icosa' },
  ])
  expect((await passkeys.registrationOptions(context, rp, ada)).excludeCredentials).toHaveLength(1)
  const request = await passkeys.authenticationOptions(context, rp)
  expect(request).toMatchObject({ rpId: 'id.example.com', userVerification: 'required' })
  expect(request.allowCredentials ?? []).toEqual([])

  for (let times = 0; times < 3; times++) expect(await signIn(people, laptop)).toMatchObject({ id: ada.id })
  await passkeys.renamePasskey(db, ada.id, id, ' Work ')
  expect(await passkeys.listPasskeys(db, ada.id)).toMatchObject([{ id, name: 'Work', usedAt: expect.any(Date) }])

  await expect(passkeys.deletePasskey(context, ada.id, id), 'the only way to sign in').rejects.toMatchObject({
    kind: 'conflict',
  })
  const phone = softwareAuthenticator(origin, { counts: false })
  const second = await register(people, ada, phone)
  for (let times = 0; times < 2; times++) expect(await signIn(people, phone)).toMatchObject({ id: ada.id })
  const deleted = await Promise.allSettled(
    [id, second.id].map((passkey) => passkeys.deletePasskey(context, ada.id, passkey)),
  )
  expect(deleted.map(({ status }) => status).sort(), 'not both at once').toEqual(['fulfilled', 'rejected'])
})

describe('a registration is rejected', () => {
  const cases: Record<string, Tampering> = {
    'from another origin': { origin: 'https://evil.example.com' },
    'from the same host without encryption': { origin: 'http://id.example.com' },
    'for another site': { rpId: 'example.com' },
    'of another kind': { type: 'webauthn.get' },
    'without the owner verified': { unverified: true },
    'with an unknown attestation format': { attestation: () => ['unknown', new Map()] },
    'with an unexpected attestation statement': { attestation: () => ['none', new Map([['x', 1]])] },
  }
  test.each(Object.entries(cases))('%s', async (_, tampering) => {
    await using people = await startPeople()
    const ada = await person(people)
    await expect(register(people, ada, softwareAuthenticator(origin), tampering)).rejects.toMatchObject({
      kind: 'invalid',
    })
    expect(await passkeys.listPasskeys(people.db, ada.id)).toEqual([])
  })

  test('for a challenge that is used, expired, or for another user or purpose', async () => {
    await using people = await startPeople()
    const { context } = people
    const [ada, bob] = [await person(people), await person(people, 'bob')]
    const laptop = softwareAuthenticator(origin)
    const respond = (owner: Person, attestation: string) =>
      passkeys.register(context, rp, owner, { attestation, name: 'Laptop' })

    const options = await passkeys.registrationOptions(context, rp, ada)
    await expect(respond(bob, laptop.create(options)), 'of another user').rejects.toMatchObject(ended)
    await expect(respond(ada, laptop.create(options, { unverified: true }))).rejects.toMatchObject({ kind: 'invalid' })
    await expect(respond(ada, laptop.create(options)), 'after a failure').rejects.toMatchObject(ended)

    const late = await passkeys.registrationOptions(context, rp, ada)
    await people.app.clock.advance(5 * 60_000)
    await expect(respond(ada, laptop.create(late)), 'too old').rejects.toMatchObject(ended)
    const { challenge } = await passkeys.authenticationOptions(context, rp)
    await expect(respond(ada, laptop.create({ ...late, challenge })), 'to sign in').rejects.toMatchObject(ended)
    await people.app.clock.advance(5 * 60_000)
    await context.transaction((_, jobs) => jobs.enqueue(forgetExpired, {}))
    await people.app.jobs.drain()
    expect(await people.db.many(sql`select 1 from identity_connect.challenges`), 'deleted').toEqual([])
  })

  test('for an already registered credential, of any user', async () => {
    await using people = await startPeople()
    const [ada, bob] = [await person(people), await person(people, 'bob')]
    const laptop = softwareAuthenticator(origin)
    await register(people, ada, laptop)
    for (const owner of [ada, bob])
      await expect(register(people, owner, laptop)).rejects.toMatchObject({ kind: 'alreadyExists' })
  })

  test('with an attestation certificate; self-attestation is accepted', async () => {
    await using people = await startPeople()
    const ada = await person(people)
    const bySecurityKey: Tampering['attestation'] = ({ authData, clientDataHash }) => {
      const [site, id] = [authData.subarray(0, 32), authData.subarray(55, 87)]
      const point = Buffer.concat([Buffer.of(4), authData.subarray(-67, -35), authData.subarray(-32)])
      const sig = sign('sha256', Buffer.concat([Buffer.of(0), site, clientDataHash, id, point]), privateKey)
      const x5c = [new Uint8Array(new X509Certificate(certificate).raw)]
      return ['fido-u2f', new Map<string, unknown>([['sig', new Uint8Array(sig)]]).set('x5c', x5c)]
    }
    const byItself: Tampering['attestation'] = ({ authData, clientDataHash, sign: bySelf }) => {
      const sig = new Uint8Array(bySelf(Buffer.concat([authData, clientDataHash])))
      return ['packed', new Map<string, unknown>([['alg', -7]]).set('sig', sig)]
    }
    const key = softwareAuthenticator(origin)
    await expect(register(people, ada, key, { attestation: bySecurityKey })).rejects.toMatchObject({ kind: 'invalid' })
    expect(await register(people, ada, key, { attestation: byItself })).toMatchObject({ name: 'Laptop' })
  })

  test('for malformed credentials', async () => {
    await using people = await startPeople()
    const { context } = people
    const ada = await person(people)
    const clientDataJSON = Buffer.from('{"challenge":"a\\u0000"}').toString('base64url')
    const malformed = ['', '{}', 'null', '[]', '"'.repeat(1e6), '{"response":{}}', '{"response":{"clientDataJSON":5}}']
    for (const credential of [...malformed, JSON.stringify({ id: 'x', response: { clientDataJSON } })]) {
      const attempts = [
        passkeys.register(context, rp, ada, { attestation: credential, name: 'x' }),
        passkeys.authenticate(context, rp, { assertion: credential }),
      ]
      for (const attempt of attempts)
        await expect(attempt, credential.slice(0, 99)).rejects.toMatchObject({ kind: 'invalid' })
    }
  })
})

describe('signing in with a passkey is rejected', () => {
  const cases: Record<string, Tampering> = {
    'from another origin': { origin: 'https://evil.example.com' },
    'for another site': { rpId: 'example.com' },
    'with a response of another type': { type: 'webauthn.create' },
    'without the owner verified': { unverified: true },
    'without a user': { userHandle: undefined },
    'for another user': { userHandle: Buffer.from('prs_somebodyelse').toString('base64url') },
    'with an unknown credential': { credentialId: Buffer.alloc(32).toString('base64url') },
  }
  test.each(Object.entries(cases))('%s', async (_, tampering) => {
    await using people = await startPeople()
    const laptop = softwareAuthenticator(origin)
    await register(people, await person(people), laptop)
    await expect(signIn(people, laptop, tampering)).rejects.toMatchObject(refused)
    expect(await signIn(people, laptop), 'but works untampered').toMatchObject({ email: 'ada@example.com' })
  })

  test("with another user's credential id, signed by one's own key", async () => {
    await using people = await startPeople()
    const [ada, bob] = [await person(people), await person(people, 'bob')]
    const [laptop, evil] = [softwareAuthenticator(origin), softwareAuthenticator(origin)]
    await register(people, ada, laptop)
    await register(people, bob, evil)
    const { id } = JSON.parse(laptop.get(await passkeys.authenticationOptions(people.context, rp)))
    const userHandle = Buffer.from(ada.id).toString('base64url')
    await expect(signIn(people, evil, { credentialId: id, userHandle })).rejects.toMatchObject(refused)
    await expect(signIn(people, evil, { userHandle }), 'her name, his key').rejects.toMatchObject(refused)
    expect(await signIn(people, evil)).toMatchObject({ id: bob.id })
  })

  test('for a replayed response, or a challenge that is expired or for registration', async () => {
    await using people = await startPeople()
    const { context } = people
    const laptop = softwareAuthenticator(origin)
    const ada = await person(people)
    await register(people, ada, laptop)
    const assertion = laptop.get(await passkeys.authenticationOptions(context, rp))
    const uses = await Promise.allSettled([1, 2, 3].map(() => passkeys.authenticate(context, rp, { assertion })))
    expect(uses.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])

    const late = laptop.get(await passkeys.authenticationOptions(context, rp))
    await people.app.clock.advance(5 * 60_000)
    await expect(passkeys.authenticate(context, rp, { assertion: late })).rejects.toMatchObject(ended)
    const { challenge } = await passkeys.registrationOptions(context, rp, ada)
    const crossed = laptop.get({ challenge, rpId: rp.id })
    await expect(passkeys.authenticate(context, rp, { assertion: crossed })).rejects.toMatchObject(ended)
  })

  test('when the counter does not increase, since the key may be cloned', async () => {
    await using people = await startPeople()
    const { context } = people
    const key = softwareAuthenticator(origin)
    await register(people, await person(people), key)
    expect(await signIn(people, key, { counter: 10 })).toBeDefined()
    for (const counter of [10, 9, 0]) await expect(signIn(people, key, { counter })).rejects.toMatchObject(refused)
    expect(await signIn(people, key, { counter: 11 })).toBeDefined()

    const options = await Promise.all([1, 2, 3, 4].map(() => passkeys.authenticationOptions(context, rp)))
    const uses = await Promise.allSettled(
      options.map((request) => passkeys.authenticate(context, rp, { assertion: key.get(request, { counter: 12 }) })),
    )
    expect(
      uses.filter(({ status }) => status === 'fulfilled'),
      'one of several concurrent uses',
    ).toHaveLength(1)
  })

  test('for a disabled user', async () => {
    await using people = await startPeople()
    const laptop = softwareAuthenticator(origin)
    const ada = await person(people)
    await register(people, ada, laptop)
    await setDisabled(people.db, people.clock, ada.id, true)
    await expect(signIn(people, laptop)).rejects.toMatchObject({ kind: 'forbidden' })
  })
})

test("another user's passkeys are not found, and a name is one line of text", async () => {
  await using people = await startPeople()
  const { db, context } = people
  const [ada, bob] = [await person(people), await person(people, 'bob')]
  const { id } = await register(people, ada, softwareAuthenticator(origin), { transports: ['usb', 'telepathy', 5] })
  await expect(passkeys.renamePasskey(db, bob.id, id, 'Mine')).rejects.toMatchObject({ kind: 'notFound' })
  await expect(passkeys.deletePasskey(context, bob.id, id)).rejects.toMatchObject({ kind: 'notFound' })
  await expect(passkeys.deletePasskey(context, ada.id, 'pk_\u0000')).rejects.toMatchObject({ kind: 'notFound' })
  for (const name of ['', 'a\u0000', 'x'.repeat(101)])
    await expect(passkeys.renamePasskey(db, ada.id, id, name)).rejects.toMatchObject({ kind: 'invalid' })
  const { excludeCredentials } = await passkeys.registrationOptions(context, rp, ada)
  expect(excludeCredentials).toMatchObject([{ transports: ['usb'] }])
})
