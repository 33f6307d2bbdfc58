import { sql } from '@icosa/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, type FunctionsApp, startFunctions, type Tenant } from '../testing/app.ts'

let app: FunctionsApp
let acme: Tenant
beforeAll(async () => {
  app = await startFunctions()
  acme = await app.tenant()
})
afterAll(() => app[Symbol.asyncDispose]())

const created = 'icosa.resource.v1.created'
const updated = 'icosa.resource.v1.updated'

/** Changes a resource of another service. */
const put = (id: string, more: object = {}, tenant = 'acme') =>
  app.platform.transaction('stores', tenant, (_db, _jobs, resources) =>
    resources.put({ id, type: 'Shop/stores', name: id, ...more }),
  )
const remove = (id: string) =>
  app.platform.transaction('stores', 'acme', (_db, _jobs, resources) => resources.remove(id))

const trigger = (eventType: string, more: object = {}) => ({
  eventTrigger: { eventType, ...more },
  serviceConfig: { maxInstanceRequestConcurrency: 20, maxInstanceCount: 5 },
})

const prints = (expression: string) => ({ 'index.js': `exports.hello = (event) => console.log(${expression})\n` })

async function printed(name: string): Promise<string[]> {
  const { lines } = (await acme.listLogs({ params: at(name), query: { pageSize: 1000 } })).body
  return lines.filter(({ stream }) => stream === 'stdout').map(({ text }) => text)
}
const patience = { timeout: 120_000, interval: 200 }
const count = async (table: 'icosa.events' | 'functions.deliveries' | 'functions.messages') => {
  const tables = {
    'icosa.events': sql`icosa.events`,
    'functions.deliveries': sql`functions.deliveries`,
    'functions.messages': sql`functions.messages`,
  }
  return (await app.platform.database.one<{ count: number }>(sql`select count(*)::int as count from ${tables[table]}`))
    .count
}

test('changes of resources in another service call the functions whose filters match, as CloudEvents', async () => {
  const eventFilters = [
    { attribute: 'service', value: 'stores' },
    { attribute: 'subject', value: '/stores/*/main', operator: 'match-path-pattern' },
  ]
  const code = prints('event.type, event.source, event.subject, event.resourcetype, event.data.tags.stage')
  expect((await acme.deploy('watches', code, { body: trigger(created, { eventFilters }) })).error).toBeUndefined()
  await acme.deploy('removals', prints('event.type, event.subject'), { body: trigger('icosa.resource.v1.deleted') })
  await put('/stores/a/main', { tags: { stage: 'test' } })
  await put('/stores/a/side')
  await put('/stores/b/main', {}, 'other')
  await put('/stores/a/main') // an update
  await remove('/stores/a/main')
  await app.jobs.drain()
  await expect.poll(() => printed('watches'), patience).toEqual([`${created} /stores /stores/a/main Shop/stores test`])
  await expect.poll(() => printed('removals'), patience).toEqual(['icosa.resource.v1.deleted /stores/a/main'])
  expect(await count('icosa.events')).toBe(0)
  expect(await count('functions.deliveries')).toBe(0)

  await acme.waitFor((await acme.deleteFunction({ params: at('watches') })).body)
  await put('/stores/c/main')
  expect(await count('icosa.events')).toBe(0) // there is no subscription any more
})

test("another tenant's events are never received", async () => {
  const other = await app.tenant('other')
  const place = { project: 'elsewhere', location: 'europe-north1' }
  const { storageSource } = (await other.generateUploadUrl({ params: place, body: {} })).body
  const body = { buildConfig: { runtime: 'nodejs24', source: { storageSource } }, ...trigger(updated) }
  await other.createFunction({ params: place, query: { functionId: 'spying' }, body })
  await app.jobs.drain()
  await put('/stores/secret')
  await put('/stores/secret', { name: 'changed' })
  expect(await count('icosa.events')).toBe(0)
  await put('/stores/theirs', {}, 'other')
  await put('/stores/theirs', {}, 'other')
  await app.jobs.drain()
  const rows = await app.platform.database.many(
    sql`select tenant, attributes->>'subject' as subject from functions.deliveries`,
  )
  expect(rows).toEqual([{ tenant: 'other', subject: '/stores/theirs' }])
  await app.platform.database.run(sql`delete from functions.deliveries`)
})

test('events with one key arrive in order, each behind the retries of the one before', async () => {
  const code = {
    'index.js': `const failed = new Set()
    exports.hello = async (event) => {
      const name = event.data.name
      if (name === '1' && !failed.has(event.subject)) { failed.add(event.subject); throw new Error('once') }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20))
      console.log(event.subject, name)
    }\n`,
  }
  const eventFilters = [{ attribute: 'subject', value: '/ordered/*', operator: 'match-path-pattern' }]
  const body = {
    ...trigger(updated, { eventFilters, retryPolicy: 'RETRY_POLICY_RETRY' }),
    serviceConfig: { maxInstanceRequestConcurrency: 20, maxInstanceCount: 1, availableCpu: '1' },
  }
  expect((await acme.deploy('in-order', code, { body })).error).toBeUndefined()
  const subjects = ['/ordered/a', '/ordered/b', '/ordered/c']
  const names = Array.from({ length: 8 }, (_, n) => `${n}`)
  await Promise.all(
    subjects.map(async (id) => {
      await put(id)
      for (const name of names) await put(id, { name })
    }),
  )
  await app.jobs.drain()
  for (let round = 0; round < 3; round++) {
    await app.clock.advance(11_000)
    await app.jobs.drain()
  }
  await expect.poll(async () => (await printed('in-order')).length, patience).toBe(subjects.length * names.length)
  const lines = await printed('in-order')
  for (const subject of subjects)
    expect(lines.filter((line) => line.startsWith(`${subject} `))).toEqual(names.map((name) => `${subject} ${name}`))
  expect(await count('functions.deliveries')).toBe(0)
})

test('an abandoned event lets the next one with its key pass', async () => {
  const code = {
    'index.js':
      "exports.hello = (e) => { if (e.data.name === '0') throw new Error('no'); console.log('named', e.data.name) }\n",
  }
  const eventFilters = [{ attribute: 'subject', value: '/abandoned' }]
  expect((await acme.deploy('abandons', code, { body: trigger(updated, { eventFilters }) })).error).toBeUndefined()
  for (const name of ['', '0', '1', '2']) await put('/abandoned', { name })
  await app.jobs.drain()
  await expect.poll(() => printed('abandons'), patience).toEqual(['named 1', 'named 2'])
  const { failedEvents } = (await acme.listFailedEvents({ params: at('abandons') })).body
  expect(failedEvents).toMatchObject([{ type: updated, reason: expect.stringContaining('500') }])
})

test('an event for many functions is stored once and keeps its order', async () => {
  await app.platform.database.run(sql`
    insert into functions.functions (tenant, subscription_key, location, name_key, desired, state, address, operation,
      created_at, updated_at)
    select tenant, subscription_key, location, 'many-' || n, jsonb_set(desired, '{eventTrigger}', ${JSON.stringify({
      eventType: updated,
      eventFilters: [{ attribute: 'subject', value: '/many' }],
    })}), 'FAILED', 'many' || n, operation, created_at, updated_at
    from functions.functions, generate_series(1, 600) as n where name_key = 'abandons'`)
  await put('/many')
  for (const name of ['first', 'second']) await put('/many', { name })
  expect(await count('icosa.events')).toBe(2)
  await app.jobs.drain()
  expect(await count('functions.messages')).toBe(2)
  const rows = await app.platform.database.many(sql`
    select position, attributes->>'name' as name, count(*)::int as count, bool_or(attempts > 0) as tried
    from functions.deliveries where function like 'many-%' group by 1, 2 order by 1`)
  expect(rows).toEqual([
    { position: 1, name: 'first', count: 600, tried: true },
    { position: 2, name: 'second', count: 600, tried: false },
  ])
})
