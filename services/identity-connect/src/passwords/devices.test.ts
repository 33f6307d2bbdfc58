import { expect, test } from 'vitest'
import { networkPace } from '../attempts/attempts.ts'
import { createPerson } from '../people/people.ts'
import { startPeople, type TestPeople } from '../people/testing/service.ts'
import { rememberDevice } from './devices.ts'
import { changePassword, checkPassword } from './passwords.ts'

const proxy = '10.0.0.1'
const password = 'a loom weaves algebra'

const person = (people: TestPeople, name: string) =>
  createPerson(people.db, people.clock, { email: `${name}@example.com`, password, emailVerified: true })

interface Choice {
  readonly from?: string
  readonly devices?: string | undefined
}
const guess = (people: TestPeople, name: string, typed: string, { from = proxy, devices }: Choice = {}) =>
  checkPassword(people.context, { email: `${name}@example.com`, password: typed, address: from, devices })

/** Guesses at accounts that nobody has, and answers how long the network has to wait after the last. */
async function guessAround(people: TestPeople, times: number): Promise<number | undefined> {
  const all = Array.from({ length: times }, (_, each) => each)
  for (let first = 0; first < times; first += 20)
    await Promise.all(all.slice(first, first + 20).map((each) => guess(people, `nobody${each}`, 'wrong')))
  const last = await guess(people, 'nobody', 'wrong')
  return last.outcome === 'locked' ? last.until.getTime() - people.clock.now().getTime() : undefined
}

/** A busy machine takes its time for so many passwords. */
const patienceMs = 120_000

test(
  'sixty guesses from one address lock nobody out of their account',
  async () => {
    await using people = await startPeople()
    await person(people, 'ada')
    expect(await guessAround(people, 59)).toBeUndefined()
    expect(await guess(people, 'ada', password)).toMatchObject({ outcome: 'ok' })
  },
  patienceMs,
)

test(
  'a network that guesses on and on has to wait half a minute for each guess, and known devices for none',
  async () => {
    await using people = await startPeople()
    await people.app.clock.move({ frozen: true })
    const { id } = await person(people, 'ada')
    const devices = await rememberDevice(people.context, undefined, id)
    expect(await guessAround(people, networkPace.atOnce - 1)).toBeUndefined()
    expect(await guessAround(people, 0)).toBe(networkPace.everyMs)
    expect(await guess(people, 'ada', password), 'a new device').toMatchObject({ outcome: 'locked' })
    expect(await guess(people, 'ada', password, { from: '10.0.0.2' })).toMatchObject({ outcome: 'ok' })
    expect(await guess(people, 'ada', password, { devices })).toMatchObject({ outcome: 'ok' })

    await people.app.clock.advance(networkPace.everyMs)
    for (let time = 0; time < 3; time++)
      expect(await guess(people, 'ada', password), 'what is right costs nothing').toMatchObject({ outcome: 'ok' })
    expect(await guessAround(people, 0)).toBeUndefined()
    expect(await guessAround(people, 0), 'it does not grow').toBe(networkPace.everyMs)
  },
  patienceMs,
)

test('an account under attack from many addresses is locked for strangers, not for the devices of its owner', async () => {
  await using people = await startPeople()
  const { id } = await person(people, 'ada')
  const devices = await rememberDevice(people.context, undefined, id)
  const from = (each: number) => `203.0.113.${each}`
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, each) => guess(people, 'ada', `wrong ${each}`, { from: from(each) })),
  )
  expect(answers.filter(({ outcome }) => outcome === 'wrong')).toHaveLength(5)
  expect(await guess(people, 'ada', password, { from: from(99) })).toMatchObject({ outcome: 'locked' })
  expect(await guess(people, 'ada', password, { devices })).toMatchObject({ outcome: 'ok' })
  expect(await guess(people, 'ada', password), "the owner's success opens nothing").toMatchObject({ outcome: 'locked' })
})

test('guesses that were not made cost the network nothing', async () => {
  await using people = await startPeople()
  await Promise.all(['ada', 'bob'].map((name) => person(people, name)))
  for (let each = 0; each < 2 * networkPace.atOnce; each++) await guess(people, 'ada', `wrong ${each}`)
  expect(await guess(people, 'bob', password)).toMatchObject({ outcome: 'ok' })
})

test('a device has its own five tries, and is known to one person with one password', async () => {
  await using people = await startPeople()
  const [ada, bob] = [await person(people, 'ada'), await person(people, 'bob')]
  const lock = async (name: string) => {
    for (let each = 0; each < 6; each++) await guess(people, name, `wrong ${each}`)
  }
  const devices = await rememberDevice(people.context, undefined, ada.id)
  for (let each = 0; each < 5; each++)
    expect(await guess(people, 'ada', `wrong ${each}`, { devices })).toEqual({ outcome: 'wrong' })
  expect(await guess(people, 'ada', password, { devices })).toMatchObject({ outcome: 'locked' })
  expect(await guess(people, 'ada', password), 'nobody else is').toMatchObject({ outcome: 'ok' })

  await lock('bob')
  expect(await guess(people, 'bob', password, { devices })).toMatchObject({ outcome: 'locked' })
  const shared = await rememberDevice(people.context, devices, bob.id)
  expect(await guess(people, 'bob', password, { devices: shared })).toMatchObject({ outcome: 'ok' })
  expect(await rememberDevice(people.context, shared, bob.id), 'once known, it stays as it is').toBe(shared)

  await changePassword(people.context, bob, 'a loom weaves flowers', async () => {})
  await lock('bob')
  expect(await guess(people, 'bob', 'a loom weaves flowers', { devices: shared })).toMatchObject({ outcome: 'locked' })
})

test('a cookie that was not made here makes no device known, however it is written', async () => {
  await using people = await startPeople()
  const [ada, bob] = [await person(people, 'ada'), await person(people, 'bob')]
  const [own, other] = await Promise.all([ada, bob].map(({ id }) => rememberDevice(people.context, undefined, id)))
  for (let each = 0; each < 6; each++) await guess(people, 'ada', `wrong ${each}`)
  const [name = '', signature = ''] = own?.split('.') ?? []
  const forged = [
    other,
    `${name}.${signature.slice(1)}A`,
    `${'A'.repeat(16)}.${signature}`,
    `${name}.`,
    `.${signature}`,
    '~'.repeat(900),
    `${`${name}.${'A'.repeat(43)}~`.repeat(8)}${own}`, // more than a browser is given
    '\0',
  ]
  for (const devices of forged)
    expect(await guess(people, 'ada', password, { devices }), devices).toMatchObject({ outcome: 'locked' })
  expect(await guess(people, 'ada', password, { devices: own })).toMatchObject({ outcome: 'ok' })
})

test('a browser that many people use keeps the last eight of them', async () => {
  await using people = await startPeople()
  let devices: string | undefined
  for (let each = 0; each < 12; each++) devices = await rememberDevice(people.context, devices, `prs_${each}`)
  expect(devices?.split('~')).toHaveLength(8)
  expect(devices?.length).toBeLessThan(500)
})
