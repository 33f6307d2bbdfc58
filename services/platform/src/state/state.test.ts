import { type Db, ownBlobs, type ResourcesOf, registered, sql } from '@icosa/kernel'
import { example, startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { platform } from '../index.ts'
import { keyHeader } from '../names.ts'
import { resetState } from './store.ts'

test('a reset deletes one tenant or one service and keeps the others', async () => {
  await using app = await startTestApp(example)
  const { database } = app.platform
  const write = (tenant: string) =>
    database.run(
      sql`insert into example.notes (tenant, id, title, text, created_at) values (${tenant}, 'n', 't', '', now())`,
    )
  for (const tenant of ['ada', 'bob']) {
    await write(tenant)
    await database.run(sql`
      insert into icosa.idempotent_replies (tenant, operation, token, content_hash, reply, created_at)
      values (${tenant}, 'example:Create', 'token', '', 'null', now())`)
    await app.platform.transaction('example', tenant, (_db, _jobs, resources) =>
      resources.put({ id: '/notes/n', type: 'Example/notes', name: 'n' }),
    )
  }
  const countResources = async (tenant: string) =>
    (await database.many(sql`select id from ${registered(tenant)} as r`)).length
  const tenants = () => database.many(sql`select tenant from example.notes order by tenant`)

  expect(await database.transaction((db) => resetState(db, { tenant: 'ada' }))).toEqual({
    rows: 3,
    blobPrefixes: ['example/ada/'],
  })
  expect(await tenants()).toEqual([{ tenant: 'bob' }])
  expect([await countResources('ada'), await countResources('bob')]).toEqual([0, 1])
  expect(await database.transaction((db) => resetState(db, { service: 'example' }))).toMatchObject({ rows: 3 })
  expect(await tenants()).toEqual([])
  await expect(database.transaction((db) => resetState(db, { service: 'nothing' }))).rejects.toMatchObject({
    kind: 'invalid',
  })
})

test('a reset waits for concurrent writers, in any lock order, without aborting them', async () => {
  await using app = await startTestApp(example)
  const { database } = app.platform
  const put = (resources: ResourcesOf) => resources.put({ id: '/notes/n', type: 'Example/notes', name: 'n' })
  const rename = (db: Db) => db.run(sql`update example.notes set title = 'u' where tenant = 'ada'`)
  const steps = { note: rename, resource: (_: Db, resources: ResourcesOf) => put(resources) }
  const orders = [
    [steps.note, steps.resource],
    [steps.resource, steps.note],
  ] as const
  for (const [first, second] of orders) {
    await app.platform.transaction('example', 'ada', async (db, _jobs, resources) => {
      await put(resources)
      await db.run(
        sql`insert into example.notes (tenant, id, title, text, created_at) values ('ada', 'n', 't', '', now())`,
      )
    })
    let reset: Promise<unknown> = Promise.resolve()
    let [writes, resets] = [0, 0]
    await app.platform.transaction('example', 'ada', async (db, _jobs, resources) => {
      writes += 1
      await first(db, resources)
      reset = database.transaction((own) => {
        resets += 1
        return resetState(own, { tenant: 'ada' })
      })
      const waiting = sql`select count(*)::int as count from pg_locks where not granted and pid in
        (select pid from pg_stat_activity where datname = current_database())`
      await expect.poll(() => database.one(waiting), { interval: 10 }).toEqual({ count: 1 })
      await second(db, resources)
    })
    expect(await reset).toMatchObject({ rows: 2 })
    expect([writes, resets]).toEqual([1, 1])
  }
})

test('the blobs of a tenant are deleted with its rows, whatever its name', async () => {
  await using app = await startTestApp({ services: [example, platform] })
  const blobsOf = (tenant: string) => ownBlobs(app.platform.blobs, 'example', tenant)
  const tenants = ['ada', 'ada/b', 'bob']
  for (const tenant of tenants) await blobsOf(tenant).put('b/letter', Buffer.from(tenant))
  const remaining = async () => {
    const blobs = await Promise.all(tenants.map((tenant) => blobsOf(tenant).head('b/letter')))
    return tenants.filter((_, index) => blobs[index])
  }
  const reset = async (body: object) => {
    const headers = { [keyHeader]: await app.key('operator'), 'content-type': 'application/json' }
    const response = await fetch(`${app.url}/platform/reset`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(response.status).toBe(200)
    await app.jobs.drain()
  }
  await reset({ tenant: 'ada/b' })
  expect(await remaining()).toEqual(['ada', 'bob'])
  await reset({ tenant: 'ada' })
  expect(await remaining()).toEqual(['bob'])
  await reset({})
  expect(await remaining()).toEqual([])
})
