import { sql } from '@icosa/kernel'
import { describe, expect, test } from 'vitest'
import { claimsOf } from './claims.ts'
import { normalizeEmail } from './email.ts'
import { createPerson, deletePerson, findByEmail, findById, listPeople, setDisabled, updateProfile } from './people.ts'
import { startPeople } from './testing/service.ts'

const ada = { email: 'Ada@Example.com', name: 'Ada Lovelace', emailVerified: false }

test('an address has one account, in any spelling, which acts for a personal tenant', async () => {
  await using people = await startPeople()
  const { db, clock } = people
  const person = await createPerson(db, clock, ada)
  expect(person).toMatchObject({
    id: expect.stringMatching(/^prs_[\w-]{16}$/),
    email: 'Ada@example.com',
    hasPassword: false,
    tenant: `person-${person.id}`,
    permissions: ['identity-connect:*'],
    profile: { name: 'Ada Lovelace' },
  })
  for (const email of ['ada@example.com', ' ADA@EXAMPLE.COM '])
    expect(await findByEmail(db, email), email).toEqual(person)
  expect(await findByEmail(db, 'bob@example.com')).toBeUndefined()
  await expect(createPerson(db, clock, { ...ada, email: 'ADA@example.COM' })).rejects.toMatchObject({
    kind: 'alreadyExists',
  })

  await createPerson(db, clock, { email: 'rene\u0301@example.com', emailVerified: false })
  expect(await findByEmail(db, 'REN\u00c9@example.com'), 'composed or not').toBeDefined()
  const invited = await createPerson(db, clock, {
    email: 'bob@example.com',
    emailVerified: true,
    tenant: 'acme',
    permissions: ['backup:List*'],
  })
  expect(invited).toMatchObject({ tenant: 'acme', permissions: ['backup:List*'] })
  for (const wrong of [{ tenant: 'a b' }, { permissions: ['everything'] }, { email: 'nobody' }, { name: 'a\nb' }])
    await expect(createPerson(db, clock, { ...ada, ...wrong }), JSON.stringify(wrong)).rejects.toMatchObject({
      kind: 'invalid',
    })
})

test('one of several concurrent sign-ups for an address succeeds', async () => {
  await using people = await startPeople()
  const all = await Promise.allSettled(Array.from({ length: 10 }, () => createPerson(people.db, people.clock, ada)))
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test.each([
  ['x@bücher.example', 'x@bücher.example'],
  ['x@xn--bcher-kva.example', 'x@bücher.example'],
  ['o.neil+tag@Example.COM', 'o.neil+tag@example.com'],
  ['a@b@example.com', undefined],
  ['a..b@example.com', undefined],
  ['a@example.com\r\nBcc: b@example.com', undefined],
  ['"a b"@example.com', undefined],
  ['Ada <a@example.com>', undefined],
  ['a,b@example.com', undefined],
  ['a@[127.0.0.1]', undefined],
  ['a@127.0.0.1', undefined],
  ['a@exa mple.com', undefined],
  ['a\u200d@example.com', undefined],
  ['a\u0000@example.com', undefined],
  ['a\ud800@example.com', undefined],
  [`${'a'.repeat(65)}@example.com`, undefined],
  ['@example.com', undefined],
])('the address %j is stored as %j', (input, stored) => expect(normalizeEmail(input)).toBe(stored))

describe('a profile', () => {
  const address = { street_address: '12 St James’s Square', locality: 'London', postal_code: 'SW1Y 4JH' }

  test('becomes the standard claims, without unknown ones', async () => {
    await using people = await startPeople()
    const { db, clock } = people
    const { id } = await createPerson(db, clock, ada)
    await people.app.clock.move({ to: new Date('2030-01-01T00:00:00.900Z'), frozen: true })
    const person = await updateProfile(db, clock, id, {
      given_name: ' Ada ',
      birthdate: '1815-12-10',
      zoneinfo: 'Europe/London',
      locale: 'en-GB',
      phone_number: '+44 20 7946 0000',
      website: 'https://ada.example.com/',
      nickname: undefined,
      address: { ...address, country: 'GB' },
    })
    expect(claimsOf(person)).toEqual({
      sub: id,
      name: 'Ada Lovelace',
      given_name: 'Ada',
      birthdate: '1815-12-10',
      zoneinfo: 'Europe/London',
      locale: 'en-GB',
      phone_number: '+44 20 7946 0000',
      phone_number_verified: false,
      website: 'https://ada.example.com/',
      email: 'Ada@example.com',
      email_verified: false,
      address: { ...address, country: 'GB', formatted: '12 St James’s Square\nSW1Y 4JH London\nGB' },
      updated_at: Date.parse('2030-01-01T00:00:00Z') / 1000,
    })
    const bare = {
      phone_number: '',
      address: {},
      given_name: '',
      website: '',
      birthdate: '',
      zoneinfo: '',
      locale: ' ',
    }
    expect(claimsOf(await updateProfile(db, clock, id, bare))).toEqual({
      sub: id,
      name: 'Ada Lovelace',
      email: 'Ada@example.com',
      email_verified: false,
      updated_at: Date.parse('2030-01-01T00:00:00Z') / 1000,
    })
  })

  test('rejects anything but valid claims', async () => {
    await using people = await startPeople()
    const { id } = await createPerson(people.db, people.clock, ada)
    const wrong: object[] = [
      { website: 'javascript:alert(1)' },
      { picture: 'https:evil' },
      { birthdate: '2023-02-30' },
      { zoneinfo: 'Mars/Olympus' },
      { locale: 'not a locale' },
      { phone_number: 'call me' },
      { nickname: 'x'.repeat(101) },
      { family_name: 'a\u0000b' },
      { family_name: 'half \ud83d' },
      { address: { locality: 'x'.repeat(201) } },
      { address: { planet: 'Earth' } },
      { sub: 'somebody else' },
      { email_verified: 'true' },
      { __proto__x: 'x' },
      { constructor: 'x' },
    ]
    for (const changes of wrong)
      await expect(updateProfile(people.db, people.clock, id, changes), JSON.stringify(changes)).rejects.toMatchObject({
        kind: 'invalid',
      })
    expect((await findById(people.db, id))?.profile).toEqual({ name: 'Ada Lovelace' })
    await expect(updateProfile(people.db, people.clock, 'prs_nobody', {})).rejects.toMatchObject({ kind: 'notFound' })
  })
})

test('users are listed by address in pages, disabled, and deleted with all their data', async () => {
  await using people = await startPeople()
  const { db, clock } = people
  for (const name of ['eve', 'Bob', 'ada', 'Dan', 'cat'])
    await createPerson(db, clock, {
      email: `${name}@example.com`,
      emailVerified: true,
      tenant: name === 'cat' ? 'acme' : undefined,
    })
  const first = await listPeople(db, { limit: 3 })
  const second = await listPeople(db, { limit: 3, token: first.next })
  expect([...first.items, ...second.items].map(({ email }) => email.split('@')[0])).toEqual([
    'ada',
    'Bob',
    'cat',
    'Dan',
    'eve',
  ])
  expect(second.next).toBeUndefined()
  expect((await listPeople(db, { limit: 3, tenant: 'acme' })).items).toMatchObject([{ email: 'cat@example.com' }])

  const id = first.items[0]?.id ?? ''
  expect((await setDisabled(db, clock, id, true)).disabledAt).toEqual(expect.any(Date))
  expect((await setDisabled(db, clock, id, false)).disabledAt).toBeNull()
  await db.run(sql`
    insert into identity_connect.consents values (${id}, 'client', '{openid}', '{}', now(), now())`)
  await deletePerson(db, id)
  expect(await findById(db, id)).toBeUndefined()
  expect(await db.many(sql`select 1 from identity_connect.consents`)).toEqual([])
  await expect(deletePerson(db, id)).rejects.toMatchObject({ kind: 'notFound' })
})
