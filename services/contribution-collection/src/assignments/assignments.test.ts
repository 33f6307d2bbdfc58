import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ask, approved, startContributions, type World } from '../testing/app.ts'

let world: World
let desk: Ask
beforeAll(async () => {
  world = await startContributions()
  desk = await world.tenant()
})
afterAll(() => world[Symbol.asyncDispose]())

const names = async (query: Parameters<Ask['listAssignments']>[0]) => {
  const { body, headers } = await desk.listAssignments(query)
  expect(headers.get('x-total-count')).toMatch(/^\d+$/)
  return body.map(({ name }) => name)
}

test('assignments can be filtered and paged', async () => {
  const { body: tag } = await desk.createTag({ body: { name: 'Weather' } })
  const [past, future] = ['2020-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z']
  const make = (body: Parameters<Ask['createAssignment']>[0]['body']) => desk.createAssignment({ body })
  const { body: snow } = await make({ name: 'Snow', description: 'Your winter', tags: [{ id: tag.id }], ends: future })
  await make({ name: 'Floods', urlWords: 'high-water', ends: past })
  await make({ name: 'Heat' })
  expect(await names({})).toEqual(['Heat', 'Floods', 'Snow'])
  expect(await names({ query: { q: 'WINTER' } })).toEqual(['Snow'])
  expect(await names({ query: { open: false } })).toEqual(['Floods'])
  expect(await names({ query: { open: true } })).toEqual(['Heat', 'Snow'])
  expect(await names({ query: { alwaysOpen: true } })).toEqual(['Heat'])
  expect(await names({ query: { tag: tag.id } })).toEqual(['Snow'])
  expect(await names({ query: { tag: 'none' } })).toEqual([])
  expect(await names({ query: { name: 'Snow' } })).toEqual(['Snow'])
  expect(await names({ query: { name: 'snow' } })).toEqual([])
  expect(await names({ query: { urlWords: 'high-water' } })).toEqual(['Floods'])
  expect(await names({ query: { ownedBy: snow.ownedBy as string, q: 'o', open: true } })).toEqual(['Snow'])
  expect(await names({ query: { page: 2, pageSize: 2 } })).toEqual(['Snow'])
  expect((await desk.listAssignments({ query: { pageSize: 1 } })).headers.get('x-total-count')).toBe('3')
})

test('tags and assignments may be sent as they were read, but misspelt fields are refused', async () => {
  const { body: set } = await desk.createTagSet({ body: { name: 'Read', urlWords: 'read' } })
  const { body: tag } = await desk.createTag({ body: { name: 'Read', tagSet: set } })
  const { body: assignment } = await desk.createAssignment({ body: { name: 'Read', tags: [tag] } })
  expect(assignment.tags).toEqual([tag])
  const { body: contribution } = await desk.createContribution({ body: { assignment, headline: 'Read' } })
  expect(contribution.assignment).toEqual(assignment)
  const misspelt = { name: 'Read', tag: [tag] }
  await expect(desk.createAssignment({ body: misspelt })).rejects.toMatchObject({
    status: 400,
    body: { fields: [{ name: 'tag' }] },
  })
  await desk.deleteAssignment({ params: { id: assignment.id } })
})

test('an existing id updates that assignment, and duplicate URL words are refused by field', async () => {
  const { body: first } = await desk.createAssignment({ body: { name: 'A storm', receiptMessage: 'Thanks' } })
  const { body: second } = await desk.createAssignment({ body: { name: 'A storm' } })
  expect([first.urlWords, second.urlWords]).toEqual(['a-storm', 'a-storm-2'])
  const { body } = await desk.createAssignment({ body: { id: first.id, name: 'The storm', featured: true } })
  expect(body).toMatchObject({ id: first.id, name: 'The storm', featured: true, urlWords: 'a-storm' })
  expect(body.receiptMessage, 'omitted fields are cleared').toBeUndefined()
  await expect(
    desk.createAssignment({ body: { id: second.id, name: 'A storm', urlWords: 'a-storm' } }),
  ).rejects.toMatchObject({ status: 400, body: { fields: [{ name: 'urlWords' }] } })
  await expect(desk.createAssignment({ body: { id: '99999', name: 'None' } })).rejects.toMatchObject({ status: 404 })
  await expect(desk.createAssignment({ body: { name: 'None', tags: [{ id: '99999' }] } })).rejects.toMatchObject({
    status: 400,
    body: { fields: [{ name: 'tags' }] },
  })
})

test('only the owner changes or deletes an assignment, which deletes its contributions', async () => {
  const owner = await world.user(desk, 'Olive')
  const other = await world.user(desk, 'Otto')
  const { assignment, params } = await approved(owner.ask, 'A frozen lake', 'Lakes')
  await expect(other.ask.createAssignment({ body: { id: assignment.id, name: 'Mine' } })).rejects.toMatchObject({
    status: 403,
  })
  await expect(other.ask.deleteAssignment({ params: { id: assignment.id } })).rejects.toMatchObject({ status: 403 })
  expect((await other.ask.listContributions({ query: { q: 'lake' } })).body).toHaveLength(1)
  await owner.ask.deleteAssignment({ params: { id: assignment.id } })
  // Hidden before any background job has run.
  expect((await other.ask.listContributions({ query: { q: 'lake' } })).body).toEqual([])
  expect((await desk.listContributions({ query: { q: 'lake', state: 'any' } })).body).toEqual([])
  await expect(owner.ask.getContribution({ params })).rejects.toMatchObject({ status: 404 })
  await expect(desk.getAssignment({ params: { id: assignment.id } })).rejects.toMatchObject({ status: 404 })
  await world.app.jobs.drain()
  await world.app.clock.advance(10_000)
  await world.app.jobs.drain()
  const rows = await world.app.platform.database.script(`
    select 'assignment' from contribution_collection.assignments where id = ${assignment.id}
    union all select 'contribution' from contribution_collection.contributions where id = ${params.id}
    union all select 'history' from contribution_collection.moderations where contribution = ${params.id}`)
  expect(rows).toEqual([])
})
