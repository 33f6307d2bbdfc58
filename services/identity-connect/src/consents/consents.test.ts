import { expect, test } from 'vitest'
import { createPerson } from '../people/people.ts'
import { startPeople } from '../people/testing/service.ts'
import { addConsent, consentFor, listConsents, removeClientConsents, removeConsent } from './consents.ts'

test('consent is stored, extended and removed', async () => {
  await using people = await startPeople()
  const { db, clock } = people
  const { id: ada } = await createPerson(db, clock, { email: 'ada@example.com', emailVerified: true })
  const { id: bob } = await createPerson(db, clock, { email: 'bob@example.com', emailVerified: true })
  const request = { clientId: 'shop', scopes: ['openid', 'email', 'email'], claims: ['birthdate'] }

  expect(await consentFor(db, ada, request)).toEqual({
    existing: undefined,
    newScopes: ['openid', 'email'],
    newClaims: ['birthdate'],
  })
  await addConsent(db, clock, ada, request)
  expect(await consentFor(db, ada, request)).toMatchObject({ newScopes: [], newClaims: [] })
  expect(await consentFor(db, bob, request)).toMatchObject({ newScopes: ['openid', 'email'] })
  expect(await consentFor(db, ada, { ...request, clientId: 'bank' })).toMatchObject({ newScopes: ['openid', 'email'] })

  const more = { clientId: 'shop', scopes: ['openid', 'phone'] }
  expect(await consentFor(db, ada, more)).toMatchObject({ newScopes: ['phone'], newClaims: [] })
  await people.app.clock.advance(60_000)
  const all = await Promise.all(
    ['phone', 'address'].map((scope) => addConsent(db, clock, ada, { ...more, scopes: [scope] })),
  )
  expect(all.at(-1)?.createdAt).not.toEqual(all.at(-1)?.updatedAt)
  expect(await listConsents(db, ada)).toMatchObject([
    { clientId: 'shop', scopes: ['address', 'email', 'openid', 'phone'], claims: ['birthdate'] },
  ])

  expect(await removeConsent(db, ada, 'shop')).toBe(true)
  expect(await removeConsent(db, ada, 'shop')).toBe(false)
  expect(await consentFor(db, ada, request)).toMatchObject({ existing: undefined })
  for (const person of [ada, bob]) await addConsent(db, clock, person, request)
  await removeClientConsents(db, 'shop')
  expect([await listConsents(db, ada), await listConsents(db, bob)]).toEqual([[], []])
})
