import { example, startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countWords } from '../../../testing/src/example/notes/jobs.ts'
import { insert } from '../../../testing/src/example/notes/store.ts'
import { sql } from '../db/db.ts'
import { openJobs } from '../jobs/queue.ts'
import { type ResourceEntry, registered } from './resources.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp(example)
})
afterAll(() => app[Symbol.asyncDispose]())

const put = (service: string, tenant: string, entry: ResourceEntry) =>
  app.platform.transaction(service, tenant, (_db, _jobs, resources) => resources.put(entry))
const remove = (service: string, tenant: string, id: string) =>
  app.platform.transaction(service, tenant, (_db, _jobs, resources) => resources.remove(id))
const known = (tenant: string) =>
  app.platform.database.many<{ name: string; service: string; created_at: Date }>(
    sql`select id, service, type, name, scope, location, tags, created_at from ${registered(tenant)} as r order by key`,
  )
const resource = { id: '/Things/One', type: 'Vendor/things', name: 'One' }

test('a resource is registered until its service removes it; its id is case-insensitive', async () => {
  await put('things', 'ada', { ...resource, scope: '/group', location: 'here', tags: { stage: 'test' } })
  const before = await known('ada')
  const entry = { ...resource, service: 'things', scope: '/group', location: 'here', tags: { stage: 'test' } }
  expect(before).toMatchObject([entry])
  await app.clock.advance(1_000)
  await put('things', 'ada', { ...resource, id: '/things/one', name: 'Uno' })
  expect(await known('ada')).toMatchObject([
    { ...resource, name: 'Uno', tags: {}, scope: null, created_at: before[0]?.created_at },
  ])
  await remove('things', 'ada', '/THINGS/ONE')
  expect(await known('ada')).toEqual([])
})

test('neither another service nor another tenant can change a resource', async () => {
  await put('things', 'bob', resource)
  await put('things', 'eve', { ...resource, name: 'of Eve' })
  await expect(put('others', 'bob', { ...resource, name: 'stolen' })).rejects.toThrow(
    '/Things/One is registered by another service than others.',
  )
  await remove('others', 'bob', resource.id)
  await remove('things', 'eve', resource.id)
  expect(await known('bob')).toMatchObject([{ name: 'One', service: 'things' }])
  expect(await known('eve')).toEqual([])
})

test('rows, jobs and resources of a transaction are committed atomically', async () => {
  const { platform } = app
  const write = (fails: boolean) =>
    platform.transaction('example', 'mia', async (db, jobs, resources) => {
      const note = await insert(db, 'mia', { title: 'Bound', text: 'a b' }, platform.clock.now())
      await jobs.enqueue(countWords, { noteId: note.id })
      await resources.put({ ...resource, id: `/notes/${note.id}` })
      if (fails) throw new Error('no')
    })
  const counts = async () => {
    const { notes } = await platform.database.one<{ notes: number }>(
      sql`select count(*)::int as notes from example.notes where tenant = 'mia'`,
    )
    return [notes, await openJobs(platform.database, ['example']), (await known('mia')).length]
  }
  await expect(write(true)).rejects.toThrow('no')
  expect(await counts()).toEqual([0, 0, 0])
  await write(false)
  expect(await counts()).toEqual([1, 1, 1])
  await app.jobs.drain()
  expect(await counts()).toEqual([1, 0, 1])
})
