import { sized } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ask, approved, startContributions, type World } from '../testing/app.ts'

let world: World
let desk: Ask
beforeAll(async () => {
  world = await startContributions()
  desk = await world.tenant()
})
afterAll(() => world[Symbol.asyncDispose]())

async function blobs(): Promise<string[]> {
  const { items } = await world.app.platform.blobsOf('contribution-collection', 'news').list('', { limit: 1_000 })
  return items.map(({ key }) => key)
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await world.app.jobs.drain()
    await world.app.clock.advance(60_000)
  }
  await world.app.jobs.drain()
}

/** The smallest picture. */
const pixel = {
  mediaType: 'image/png',
  content: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
}

test('deleting a contribution deletes its blobs', async () => {
  const before = await blobs()
  const { body: media } = await desk.createMedia({ body: pixel as never })
  const { body: assignment } = await desk.createAssignment({ body: { name: 'Pictures' } })
  const { body } = await desk.createContribution({
    body: { assignment: { id: assignment.id }, headline: 'A pixel', mediaUsages: [{ media: { id: media.id } }] },
  })
  const params = { id: body.id }
  await desk.moderateContribution({ params, body: { action: { id: 'approve' } } })
  await desk.createExport({ query: { assignment: assignment.id, format: 'original', json: true } })
  await world.app.jobs.drain()
  expect((await blobs()).length).toBeGreaterThan(before.length + 1)
  await desk.deleteContribution({ params })
  await expect(desk.getContribution({ params })).rejects.toMatchObject({ status: 404 })
  await settle()
  expect(await blobs()).toEqual(before)
})

test(`an assignment with ${sized(450, 2_000)} contributions is deleted completely, in batches`, async () => {
  const { assignment } = await approved(desk, 'The first', 'Crowded')
  await world.app.platform.database.script(`
    insert into contribution_collection.contributions (tenant, assignment, author, owner, state, is_public, created_at,
      headline, attribution, url_words, words, authority)
    select 'news', ${assignment.id}, 'somebody', 'desk', 'approved', true, now(), 'Copy ' || n, '', 'copy-' || n, '{}', 'test'
    from generate_series(1, ${sized(450, 2_000)}) as n`)
  expect((await desk.listContributions({ query: { assignment: assignment.id } })).body).toHaveLength(20)
  await desk.deleteAssignment({ params: { id: assignment.id } })
  expect((await desk.listContributions({ query: { assignment: assignment.id } })).body).toEqual([])
  await settle()
  const rows = await world.app.platform.database.script(`
    select id from contribution_collection.contributions where assignment = ${assignment.id}
    union all select id from contribution_collection.assignments where id = ${assignment.id}`)
  expect(rows).toEqual([])
})

test('the next worker finishes a deletion whose worker was killed', async () => {
  const { params } = await approved(desk, 'Half gone', 'Halves')
  await desk.deleteContribution({ params })
  // A killed worker leaves no files, but the rows and the job.
  const { removals } = await import('./removals.ts')
  const { platform } = world.app
  const transaction = (work: never) => platform.transaction('contribution-collection', 'news', work)
  for (const remove of removals) await remove(params.id, { transaction, tenant: 'news' } as never)
  await settle()
  const rows = await platform.database.script(`
    select id from contribution_collection.contributions where id = ${params.id}`)
  expect(rows).toEqual([])
})
