import { expect, test } from 'vitest'
import { networkRate } from '../attempts/attempts.ts'
import { createPerson } from '../people/people.ts'
import { startPeople, type TestPeople } from '../people/testing/service.ts'
import { rememberDevice } from './devices.ts'
import { changePassword, checkPassword } from './passwords.ts'

const proxy = '10.0.0.1'
const password = 'a loom weaves algebra'

const person = (people: TestPeople, name: string) =>
  createPerson(people.db, people.clock, { email: `${name}@example.com`, password, emailVerified: true })

interface GuessOptions {
  readonly from?: string
  readonly devices?: string | undefined
}
const guess = (people: TestPeople, name: string, password: string, { from = proxy, devices }: GuessOptions = {}) =>
  checkPassword(people.context, { email: `${name}@example.com`, password, address: from, devices })

/** Guesses at nonexistent accounts, and returns how long the network then has to wait. */
async function guessAround(people: TestPeople, times: number): Promise<number | undefined> {
  const all = Array.from({ length: times }, (_, nth) => nth)
  for (let first = 0; first < times; first += 20)
    await Promise.all(all.slice(first, first + 20).map((nth) => guess(people, `nobody${nth}`, 'wrong')))
  const last = await guess(people, 'nobody', 'wrong')
  return last.outcome === 'locked' ? last.until.getTime() - people.clock.now().getTime() : undefined
}

/** Hashing so many passwords is slow on a busy machine. */
const timeoutMs = 120_000

test(
  'sixty guesses from one address lock no account',
  async () => {
    await using people = await startPeople()
    await person(people, 'ada')
    expect(await guessAround(people, 59)).toBeUndefined()
    expect(await guess(people, 'ada', password)).toMatchObject({ outcome: 'ok' })
  },
  timeoutMs,
)

test(
  'a guessing network is limited to one guess per half minute, but known devices are not',
  async () => {
    await using people = await startPeople()
    await people.app.clock.move({ frozen: true })
    const { id } = await person(people, 'ada')
    const devices = await rememberDevice(people.context, undefined, id)
    expect(await guessAround(people, networkRate.burst - 1)).toBeUndefined()
    expect(await guessAround(people, 0)).toBe(networkRate.intervalMs)
    expect(await guess(people, 'ada', password), 'a new device').toMatchObject({ outcome: 'locked' })
    expect(await guess(people, 'ada', password, { from: '10.0.0.2' })).toMatchObject({ outcome: 'ok' })
    expect(await guess(people, 'ada', password, { devices })).toMatchObject({ outcome: 'ok' })

    await people.app.clock.advance(networkRate.intervalMs)
    for (let time = 0; time < 3; time++)
      expect(await guess(people, 'ada', password), 'a right password costs nothing').toMatchObject({ outcome: 'ok' })
    expect(await guessAround(people, 0)).toBeUndefined()
    expect(await guessAround(people, 0), 'the interval does not grow').toBe(networkRate.intervalMs)
  },
  timeoutMs,
)

test("an account under attack from many addresses is locked except on its owner's devices", async () => {
  await using people = await startPeople()
  const { id } = await person(people, 'ada')
  const devices = await rememberDevice(people.context, undefined, id)
  const from = (nth: number) => `203.0.113.${nth}`
  const results = await Promise.all(
    Array.from({ length: 40 }, (_, nth) => guess(people, 'ada', `wrong ${nth}`, { from: from(nth) })),
  )
  expect(results.filter(({ outcome }) => outcome === 'wrong')).toHaveLength(5)
  expect(await guess(people, 'ada', password, { from: from(99) })).toMatchObject({ outcome: 'locked' })
  expect(await guess(people, 'ada', password, { devices })).toMatchObject({ outcome: 'ok' })
  expect(await guess(people, 'ada', password), "the owner's success does not unlock it").toMatchObject({
    outcome: 'locked',
  })
})

test('unchecked guesses do not count against the network', async () => {
  await using people = await startPeople()
  await Promise.all(['ada', 'bob'].map((name) => person(people, name)))
  for (let nth = 0; nth < 2 * networkRate.burst; nth++) await guess(people, 'ada', `wrong ${nth}`)
  expect(await guess(people, 'bob', password)).toMatchObject({ outcome: 'ok' })
})

test('a device has its own five attempts, and is known for one user and password', async () => {
  await using people = await startPeople()
  const [ada, bob] = [await person(people, 'ada'), await person(people, 'bob')]
  const lock = async (name: string) => {
    for (let nth = 0; nth < 6; nth++) await guess(people, name, `wrong ${nth}`)
  }
  const devices = await rememberDevice(people.context, undefined, ada.id)
  for (let nth = 0; nth < 5; nth++)
    expect(await guess(people, 'ada', `wrong ${nth}`, { devices })).toEqual({ outcome: 'wrong' })
  expect(await guess(people, 'ada', password, { devices })).toMatchObject({ outcome: 'locked' })
  expect(await guess(people, 'ada', password), 'other devices are not').toMatchObject({ outcome: 'ok' })

  await lock('bob')
  expect(await guess(people, 'bob', password, { devices })).toMatchObject({ outcome: 'locked' })
  const shared = await rememberDevice(people.context, devices, bob.id)
  expect(await guess(people, 'bob', password, { devices: shared })).toMatchObject({ outcome: 'ok' })
  expect(await rememberDevice(people.context, shared, bob.id), 'a known device is unchanged').toBe(shared)

  await changePassword(people.context, bob, 'a loom weaves flowers', async () => {})
  await lock('bob')
  expect(await guess(people, 'bob', 'a loom weaves flowers', { devices: shared })).toMatchObject({ outcome: 'locked' })
})

test('a forged cookie does not make a device known', async () => {
  await using people = await startPeople()
  const [ada, bob] = [await person(people, 'ada'), await person(people, 'bob')]
  const [own, other] = await Promise.all([ada, bob].map(({ id }) => rememberDevice(people.context, undefined, id)))
  for (let nth = 0; nth < 6; nth++) await guess(people, 'ada', `wrong ${nth}`)
  const [name = '', signature = ''] = own?.split('.') ?? []
  const forged = [
    other,
    `${name}.${signature.slice(1)}A`,
    `${'A'.repeat(16)}.${signature}`,
    `${name}.`,
    `.${signature}`,
    '~'.repeat(900),
    `${`${name}.${'A'.repeat(43)}~`.repeat(8)}${own}`, // more than the maximum
    '\0',
  ]
  for (const devices of forged)
    expect(await guess(people, 'ada', password, { devices }), devices).toMatchObject({ outcome: 'locked' })
  expect(await guess(people, 'ada', password, { devices: own })).toMatchObject({ outcome: 'ok' })
})

test('a shared browser remembers its last eight users', async () => {
  await using people = await startPeople()
  let devices: string | undefined
  for (let nth = 0; nth < 12; nth++) devices = await rememberDevice(people.context, devices, `prs_${nth}`)
  expect(devices?.split('~')).toHaveLength(8)
  expect(devices?.length).toBeLessThan(500)
})
