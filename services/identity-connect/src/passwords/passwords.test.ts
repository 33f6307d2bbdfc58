import { semaphore, sql } from '@icosa/kernel'
import { hashPassword, isOutdated, isPassword } from '@icosa/tokens/passwords'
import { describe, expect, test } from 'vitest'
import { forgetExpired } from '../people/jobs.ts'
import { createPerson, setDisabled } from '../people/people.ts'
import { startPeople, type TestPeople } from '../people/testing/service.ts'
import { changePassword, checkPassword } from './passwords.ts'
import { resetPassword, startReset } from './reset.ts'
import { checkNewPassword } from './rules.ts'

const email = 'ada@example.com'
const password = 'a loom weaves algebra'
const minuteMs = 60_000

const withAda = (people: TestPeople) =>
  createPerson(people.db, people.clock, { email, name: 'Ada Lovelace', password, emailVerified: true })

let guesses = 0
/** From a different network each time, by default. */
const guess = (
  people: TestPeople,
  password: string,
  { as = email, from = `10.0.${guesses >> 8}.${guesses++ & 255}` } = {},
) => checkPassword(people.context, { email: as, password, address: from })

describe('a stored password', () => {
  test('is an argon2id string in the standard format, with a random salt', async () => {
    const [first, second] = [await hashPassword(password), await hashPassword(password)]
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(first).not.toBe(second)
    expect(await isPassword(password, first)).toBe(true)
    expect(await isPassword(`${password} `, first)).toBe(false)
    expect(isOutdated(first)).toBe(false)
    expect(isOutdated(await hashPassword(password, { memory: 19456, passes: 1, parallelism: 1 }))).toBe(true)
  })

  test('agrees with the reference implementation', async () => {
    // argon2 of the reference code: echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32
    const reference = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    expect(await isPassword('password', reference)).toBe(true)
  })

  test('is the same however its characters were composed', async () => {
    expect(await isPassword('cafe\u0301 au lait \ufb01n', await hashPassword('caf\u00e9 au lait fin'))).toBe(true)
  })
})

describe('a new password', () => {
  const owner = { email: 'ada.lovelace@example.com', name: 'Ada Augusta King' }
  test('is neither too short, too long nor easy to guess', () => {
    const bad = [
      'elevenchars',
      'x1'.repeat(65),
      'y2'.repeat(500_000),
      'ada.lovelace@example.com',
      'ADA.LOVELACE@example.com',
      'ada.lovelace',
      'ada augusta  KING',
      'Password1234',
      'correcthorsebatterystaple',
      'zzzzzzzzzzzz',
    ]
    for (const text of bad)
      expect(() => checkNewPassword(text, owner), text.slice(0, 99)).toThrow(/^password (must|is)/)
  })

  test('may be anything else', () => {
    const good = ['twelve chars', 'ada lovelace 1815!', '🧵🪡'.repeat(6), '🧵🪡'.repeat(64), `${'密'.repeat(127)}码`]
    for (const text of good) checkNewPassword(text, owner)
  })
})

describe('signing in', () => {
  test('requires the right password, which alone reveals that an account is disabled', async () => {
    await using people = await startPeople()
    const { id } = await withAda(people)
    expect(await guess(people, password, { as: 'ADA@example.com' })).toMatchObject({ outcome: 'ok', person: { id } })
    expect(await guess(people, 'a loom weaves flowers')).toEqual({ outcome: 'wrong' })
    expect(await guess(people, password, { as: 'bob@example.com' })).toEqual({ outcome: 'wrong' })
    expect(await guess(people, password, { as: 'no address' })).toEqual({ outcome: 'wrong' })
    expect(await guess(people, '')).toEqual({ outcome: 'wrong' })
    await createPerson(people.db, people.clock, { email: 'cat@example.com', emailVerified: true })
    expect(await guess(people, '', { as: 'cat@example.com' }), 'without a password').toEqual({ outcome: 'wrong' })

    await setDisabled(people.db, people.clock, id, true)
    expect(await guess(people, password)).toEqual({ outcome: 'disabled' })
    expect(await guess(people, 'a loom weaves flowers')).toEqual({ outcome: 'wrong' })
  })

  test('upgrades a weaker hash', async () => {
    await using people = await startPeople()
    const { id } = await withAda(people)
    const weak = await hashPassword(password, { memory: 8192, passes: 1, parallelism: 1 })
    await people.db.run(sql`update identity_connect.people set password_hash = ${weak}`)
    expect(await guess(people, password)).toMatchObject({ outcome: 'ok' })
    const { hash } = await people.db.one<{ hash: string }>(
      sql`select password_hash as hash from identity_connect.people where id = ${id}`,
    )
    expect(hash).toContain('m=19456,t=2')
    expect(await guess(people, password)).toMatchObject({ outcome: 'ok' })
  })

  test('takes as long for an unknown address', async () => {
    await using people = await startPeople()
    const hash = await hashPassword(password)
    const rounds = 25
    for (let round = 0; round < rounds; round++) {
      const { id } = await createPerson(people.db, people.clock, {
        email: `known${round}@example.com`,
        emailVerified: true,
      })
      await people.db.run(sql`update identity_connect.people set password_hash = ${hash} where id = ${id}`)
    }
    const times = { known: [] as number[], unknown: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      for (const kind of ['known', 'unknown'] as const) {
        const start = performance.now()
        expect(await guess(people, 'not the password', { as: `${kind}${round}@example.com` })).toEqual({
          outcome: 'wrong',
        })
        times[kind].push(performance.now() - start)
      }
    }
    const median = (all: number[]) => all.sort((a, b) => a - b)[all.length >> 1] ?? 0
    const ratio = median(times.unknown) / median(times.known)
    console.log(`unknown / known: ${ratio.toFixed(2)} of ${median(times.known).toFixed(0)} ms`)
    expect(ratio).toBeGreaterThan(0.7)
    expect(ratio).toBeLessThan(1.4)
  })
})

describe('the lock', () => {
  const lockOut = async (people: TestPeople, as = email) => {
    for (let failure = 0; failure < 5; failure++)
      expect(await guess(people, `wrong number ${failure}`, { as })).toEqual({ outcome: 'wrong' })
    const result = await guess(people, password, { as })
    if (result.outcome !== 'locked') throw new Error(`not locked but ${result.outcome}`)
    return Math.round((result.until.getTime() - people.clock.now().getTime()) / minuteMs)
  }

  test('applies after five failures, for longer each time up to a day, and is reset by success', async () => {
    await using people = await startPeople()
    await people.app.clock.move({ frozen: true })
    await withAda(people)
    for (const minutes of [15, 30, 60, 120, 240, 480, 960, 1440, 1440]) {
      expect(await lockOut(people)).toBe(minutes)
      await people.app.clock.advance(minutes * minuteMs - 1)
      expect(await guess(people, password), 'a moment too early').toMatchObject({ outcome: 'locked' })
      await people.app.clock.advance(1)
    }
    expect(await guess(people, password)).toMatchObject({ outcome: 'ok' })
    expect(await lockOut(people)).toBe(15)
    await people.app.clock.advance(25 * 60 * minuteMs)
    expect(await lockOut(people), 'after a quiet day').toBe(15)
  })

  test('ignores failures older than a quarter of an hour', async () => {
    await using people = await startPeople()
    await withAda(people)
    for (let failure = 0; failure < 12; failure++) {
      expect(await guess(people, `wrong number ${failure}`)).toEqual({ outcome: 'wrong' })
      await people.app.clock.advance(4 * minuteMs)
    }
    expect(await guess(people, password)).toMatchObject({ outcome: 'ok' })
  })

  test('applies to unknown addresses as well', async () => {
    await using people = await startPeople()
    await people.app.clock.move({ frozen: true })
    expect(await lockOut(people, 'nobody@example.com')).toBe(15)
    expect(await guess(people, password, { as: 'NOBODY@example.com' })).toMatchObject({ outcome: 'locked' })
  })

  test('lets five of a hundred concurrent guesses through, and then locks out the owner', async () => {
    await using people = await startPeople()
    await withAda(people)
    const results = await Promise.all(Array.from({ length: 100 }, (_, nth) => guess(people, `wrong number ${nth}`)))
    const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length
    expect([count('wrong'), count('locked')]).toEqual([5, 95])
    expect(await guess(people, password)).toMatchObject({ outcome: 'locked' })
  })

  test('stores addresses and networks only hashed, and briefly', async () => {
    await using people = await startPeople()
    await guess(people, 'wrong', { as: 'secret@example.com', from: '192.0.2.77' })
    const rows = () => people.db.many(sql`select a::text, encode(key, 'escape') from identity_connect.attempts a`)
    expect(await rows()).toHaveLength(2)
    expect(JSON.stringify(await rows())).not.toMatch(/secret|192\.0/)
    await people.app.clock.advance(49 * 60 * minuteMs)
    await people.context.transaction((_, jobs) => jobs.enqueue(forgetExpired, {}))
    await people.app.jobs.drain()
    expect(await rows()).toEqual([])
  })

  test('is lifted by a password change', async () => {
    await using people = await startPeople()
    const ada = await withAda(people)
    await lockOut(people)
    const verify = async () => {}
    await expect(changePassword(people.context, ada, 'ada@example.com', verify)).rejects.toMatchObject({
      kind: 'invalid',
    })
    await changePassword(people.context, ada, 'a loom weaves flowers', verify)
    expect(await guess(people, 'a loom weaves flowers')).toMatchObject({ outcome: 'ok' })
    expect(await guess(people, password)).toEqual({ outcome: 'wrong' })
    expect(await people.mails()).toMatchObject([{ to: email, subject: 'Your password for Icosa was changed' }])
  })
})

test("an attacker's concurrent password change does not override the owner's reset", async () => {
  await using people = await startPeople()
  const ada = await withAda(people)
  // While the thief changes the password, the owner resets it by mail.
  const verify = async () => {
    await startReset(people.context, email)
    const [{ token } = expect.fail('no mail')] = await people.mails()
    await resetPassword(people.context, token, 'only Ada knows this')
  }
  await expect(changePassword(people.context, ada, 'the thief knows this', verify)).rejects.toMatchObject({
    kind: 'conflict',
  })
  expect(await guess(people, 'only Ada knows this')).toMatchObject({ outcome: 'ok' })
})

test('a semaphore limits concurrency, queues in order, and rejects beyond the queue limit', async () => {
  const pass = semaphore(2, { maxWaiting: 3 })
  const done: number[] = []
  let inside = 0
  let maxInside = 0
  const enter = (guest: number) =>
    pass(async () => {
      maxInside = Math.max(maxInside, ++inside)
      await new Promise((resolve) => setTimeout(resolve, 5))
      inside--
      done.push(guest)
      if (guest === 1) throw new Error('fell')
    })
  const all = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(enter))
  expect(all.map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
  ])
  expect(all[5]).toMatchObject({ reason: { kind: 'unavailable', retryAfterSeconds: 5 } })
  expect([done, maxInside]).toEqual([[1, 2, 3, 4, 5], 2])
  await enter(7)
  expect(done).toContain(7)
})

test('a flood is rejected when too many guesses are queued, and rejected guesses are not counted', async () => {
  await using people = await startPeople()
  const flood = Array.from({ length: 150 }, (_, nth) => guess(people, 'wrong', { as: `person${nth}@example.com` }))
  const results = await Promise.allSettled(flood)
  const rejected = results.filter(({ status }) => status === 'rejected')
  expect(rejected.length).toBeGreaterThan(0)
  for (const result of rejected) expect(result).toMatchObject({ reason: { kind: 'unavailable' } })
  const { failures } = await people.db.one<{ failures: number }>(
    sql`select sum(failures)::int as failures from identity_connect.attempts`,
  )
  expect(failures).toBe(150 - rejected.length)
})
