import { expect, test } from 'vitest'
import { createPerson } from '../people/people.ts'
import { startPeople } from '../people/testing/service.ts'
import { consentFor, forget, forgetClient, listConsents, remember } from './consents.ts'

test('what a person allowed a client is remembered, added to and taken back', async () => {
  await using people = await startPeople()
  const { db, clock } = people
  const { id: ada } = await createPerson(db, clock, { email: 'ada@example.com', emailVerified: true })
  const { id: bob } = await createPerson(db, clock, { email: 'bob@example.com', emailVerified: true })
  const asked = { clientId: 'shop', scopes: ['openid', 'email', 'email'], claims: ['birthdate'] }

  expect(await consentFor(db, ada, asked)).toEqual({
    given: undefined,
    newScopes: ['openid', 'email'],
    newClaims: ['birthdate'],
  })
  await remember(db, clock, ada, asked)
  expect(await consentFor(db, ada, asked)).toMatchObject({ newScopes: [], newClaims: [] })
  expect(await consentFor(db, bob, asked)).toMatchObject({ newScopes: ['openid', 'email'] })
  expect(await consentFor(db, ada, { ...asked, clientId: 'bank' })).toMatchObject({ newScopes: ['openid', 'email'] })

  const more = { clientId: 'shop', scopes: ['openid', 'phone'] }
  expect(await consentFor(db, ada, more)).toMatchObject({ newScopes: ['phone'], newClaims: [] })
  await people.app.clock.advance(60_000)
  const all = await Promise.all(
    ['phone', 'address'].map((scope) => remember(db, clock, ada, { ...more, scopes: [scope] })),
  )
  expect(all.at(-1)?.createdAt).not.toEqual(all.at(-1)?.updatedAt)
  expect(await listConsents(db, ada)).toMatchObject([
    { clientId: 'shop', scopes: ['address', 'email', 'openid', 'phone'], claims: ['birthdate'] },
  ])

  expect(await forget(db, ada, 'shop')).toBe(true)
  expect(await forget(db, ada, 'shop')).toBe(false)
  expect(await consentFor(db, ada, asked)).toMatchObject({ given: undefined })
  for (const person of [ada, bob]) await remember(db, clock, person, asked)
  await forgetClient(db, 'shop')
  expect([await listConsents(db, ada), await listConsents(db, bob)]).toEqual([[], []])
})
