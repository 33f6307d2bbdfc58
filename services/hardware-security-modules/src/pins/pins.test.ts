import { elapse } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HsmApp, startModules } from '../testing/app.ts'

let world: HsmApp
beforeAll(async () => {
  world = await startModules({ pinAttempts: 5 })
})
afterAll(() => world[Symbol.asyncDispose]())

const body = { algorithm: 'ES256', value: 'aGVsbG8=' } as const

async function withPin(name: string) {
  const module = await world.open(name)
  const params = { moduleId: module.id }
  const key = { params: { ...params, keyName: 'one' } }
  await module.keys.make({ ...key, body: { type: 'EC', curve: 'P-256' } })
  const { pin } = (await module.keys.replacePin({ params })).body
  return { module, params, key, pin }
}

test('a PIN allows using keys, but not managing them', async () => {
  const { module, params, key, pin } = await withPin('with-pin')
  const application = module.byPin(pin)
  expect((await application.sign({ ...key, body })).status).toBe(200)
  expect((await application.list({ params })).body.value).toHaveLength(1)
  for (const attempt of [
    () => application.delete(key),
    () => application.update({ ...key, body: { access: [] } }),
    () => application.listUses({ params }),
    () => application.replacePin({ params }),
  ])
    await expect(attempt()).rejects.toMatchObject({ status: 403 })
  const { value: uses } = (await module.keys.listUses({ params })).body
  expect(uses.find(({ operation }) => operation === 'sign')).toMatchObject({ caller: 'pin:app', outcome: 'done' })

  await module.keys.update({ ...key, body: { access: [{ caller: 'pin', operations: ['verify'] }] } })
  await expect(application.sign({ ...key, body })).rejects.toMatchObject({ status: 403 })
})

test('wrong PINs lock even the right one until it is replaced', async () => {
  const { module, params, key, pin } = await withPin('guessed')
  for (let attempt = 0; attempt < 5; attempt++)
    await expect(module.byPin(`guess-${attempt}`).sign({ ...key, body })).rejects.toMatchObject({ status: 401 })
  for (const guess of [pin, 'guess-6'])
    await expect(module.byPin(guess).sign({ ...key, body })).rejects.toMatchObject({
      status: 403,
      body: { error: { code: 'PinLocked' } },
    })
  const { value: uses } = (await module.keys.listUses({ params })).body
  expect(uses.filter(({ operation, outcome }) => operation === 'login' && outcome === 'refused')).toHaveLength(7)
  expect((await module.keys.sign({ ...key, body })).status, 'by a bearer token').toBe(200)

  const { pin: replacement } = (await module.keys.replacePin({ params })).body
  await expect(module.byPin(pin).sign({ ...key, body })).rejects.toMatchObject({ status: 401 })
  expect((await module.byPin(replacement).sign({ ...key, body })).status).toBe(200)
})

test('of a hundred concurrent guesses five are tried, and concurrent right ones lock nothing', async () => {
  const { module, key, pin } = await withPin('concurrent')
  const right = Array.from({ length: 30 }, () => module.byPin(pin).sign({ ...key, body }))
  expect((await Promise.all(right)).every(({ status }) => status === 200)).toBe(true)
  const guesses = Array.from({ length: 100 }, (_, index) =>
    module
      .byPin(`guess-${index}`)
      .sign({ ...key, body })
      .catch(({ status }) => status),
  )
  const statuses = await Promise.all(guesses)
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
  expect(statuses.filter((status) => status === 403)).toHaveLength(95)
})

test('a right PIN resets the count of wrong ones', async () => {
  const { module, key, pin } = await withPin('in-between')
  for (let round = 0; round < 3; round++) {
    for (let attempt = 0; attempt < 4; attempt++)
      await module
        .byPin(`${round}-${attempt}`)
        .sign({ ...key, body })
        .catch(() => {})
    elapse(1_100) // a right PIN is cached for a second
    expect((await module.byPin(pin).sign({ ...key, body })).status).toBe(200)
  }
})
