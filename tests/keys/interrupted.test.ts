import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from '@icosa/kernel'
import { elapse, expireClaims } from '@icosa/testing'
import pg from 'pg'
import { type ExpectStatic, test } from 'vitest'
import { plain, versioned } from '../../services/configuration-stores/src/testing/app.ts'
import { newFolder } from '../../services/hardware-security-modules/src/testing/app.ts'
import { type Both, encryptionOf, rowsOf, setKey, startBoth } from './support.ts'

const many = 1_000

// Each test polls with its own `expect`: concurrent tests cannot share one.

/** Creates a store with many values and a function that reads the last ones. */
async function openLarge(world: Both) {
  const store = await world.open('large-store')
  await store.put('/kv/first', { value: 'first' })
  await world.app.platform.database.run(sql`
    insert into configuration_stores.revisions (tenant, store, key, label, value, tags, locked, etag, changed_at)
    select r.tenant, r.store, 'k' || n, '', 'value ' || n, '{}', false, 'etag' || n, r.changed_at
    from configuration_stores.revisions r, generate_series(1, ${many}::int) n where r.key = 'first'`)
  const read = async () => {
    const answers = await Promise.all(['first', 'k1', `k${many / 2}`, `k${many}`].map((key) => store.get(`/kv/${key}`)))
    return answers.map(({ body }) => body.value)
  }
  return { store, read, expected: ['first', 'value 1', `value ${many / 2}`, `value ${many}`] }
}

/** Starts encryption in a worker process and kills it midway, where a locked row stops it. */
async function encryptPartly(world: Both, expect: ExpectStatic): Promise<void> {
  const options = {
    databaseUrl: world.app.databaseUrl,
    blobs: mkdtempSync(join(tmpdir(), 'blobs-')),
    folder: newFolder(),
  }
  const lock = new pg.Client(world.app.databaseUrl)
  await lock.connect()
  await lock.query('begin')
  await lock.query('select from configuration_stores.revisions where key = $1 for update', [`k${many / 2}`])
  const child = fork(fileURLToPath(new URL('./node.ts', import.meta.url)), [JSON.stringify(options)], { silent: true })
  const exit = once(child, 'exit')
  try {
    await expect
      .poll(async () => (await rowsOf(world)).revisions[1], { timeout: 120_000, interval: 10 })
      .toBeGreaterThan(0)
  } finally {
    child.kill('SIGKILL')
    await exit
    await lock.end()
  }
  await expireClaims(world.app.platform.database)
}

/** Advances the platform's clock, by which pauses are measured, until the store has settled. */
const untilSettled = ({ app }: Both, store: Awaited<ReturnType<typeof openLarge>>['store'], expect: ExpectStatic) =>
  expect.poll(
    async () => {
      await app.clock.advance(60_000)
      await app.jobs.drain()
      return (await encryptionOf(store)).state
    },
    { timeout: 240_000, interval: 100 },
  )

test.concurrent('values stay readable when a node is killed during encryption, and the next node completes it', async ({
  expect,
}) => {
  await using world = await startBoth()
  const key = await (await world.openModule('killed')).make('one')
  const { store, read, expected } = await openLarge(world)
  await store.manager.stores.update({
    ...versioned,
    params: store.params,
    body: { properties: { encryption: { keyVaultProperties: { keyIdentifier: key } } } },
  })
  await encryptPartly(world, expect)
  const [clear, encrypted] = (await rowsOf(world)).revisions
  console.log(`killed with ${encrypted} of ${many + 1} values encrypted`)
  expect(clear).toBeGreaterThan(0)
  expect(await read()).toEqual(expected)
  expect((await store.put('/kv/meanwhile', { value: 'new' })).status).toBe(200)
  await expect(setKey(world, store, null)).rejects.toMatchObject({ status: 409 })

  await untilSettled(world, store, expect).toBe('Succeeded')
  expect((await rowsOf(world)).revisions).toEqual([0, many + 2])
  expect(await read()).toEqual(expected)
}, 400_000)

test.concurrent('a store fails when its key is revoked during encryption, and continues when access is restored', async ({
  expect,
}) => {
  await using world = await startBoth()
  const module = await world.openModule('revoked')
  const key = await module.make('one')
  const { store, read, expected } = await openLarge(world)
  const { params } = store
  const encryption = { keyVaultProperties: { keyIdentifier: key } }
  await store.manager.stores.update({ ...versioned, params, body: { properties: { encryption } } })
  await encryptPartly(world, expect)
  await module.setAccess('one', [])

  await untilSettled(world, store, expect).toBe('Failed')
  const [clear, encrypted] = (await rowsOf(world)).revisions
  expect([clear, encrypted].every((count) => count && count > 0)).toBe(true)
  const other = {
    ...plain(),
    properties: { encryption: { keyVaultProperties: { keyIdentifier: await module.make('two') } } },
  }
  await expect(store.manager.stores.create({ ...versioned, params, body: other })).rejects.toMatchObject({
    status: 403,
  })

  await module.setAccess('one', [{ caller: '*', operations: ['encrypt', 'decrypt'] }])
  elapse(1_100) // a refusal is cached for a second, in which the job would use up its retries
  const again = { ...plain(), properties: { encryption } }
  await expect
    .poll(async () => (await store.manager.stores.create({ ...versioned, params, body: again })).status)
    .toBe(201)
  await untilSettled(world, store, expect).toBe('Succeeded')
  expect((await rowsOf(world)).revisions).toEqual([0, many + 1])
  expect(await read()).toEqual(expected)
}, 400_000)
