import { sql } from '@icosa/kernel'
import { seededRandom, sized } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { markDeleted, moderate } from '../contributions/store.ts'
import { removeContribution } from '../deletion/store.ts'
import { cells } from '../geo/cells-store.ts'
import { options } from '../search/options-store.ts'
import { type FilterQuery, questionOf } from '../search/question.ts'
import { refinementNames } from '../search/refinements-store.ts'
import { type Ask, approved, startContributions, type World } from '../testing/app.ts'
import { insertAll } from '../testing/bulk-store.ts'
import { contributions } from '../testing/synthetic.ts'
import { addChanges } from './store.ts'

const tenant = 'news'
let world: World
let desk: Ask
beforeAll(async () => {
  world = await startContributions()
  desk = await world.tenant(tenant)
})
afterAll(() => world[Symbol.asyncDispose]())

/** Compares tallies with counting, which a filter that matches everything enforces. */
async function compare(query: FilterQuery, size: number, now: Date): Promise<void> {
  const { database } = world.app.platform
  const searchContext = { tenant, viewer: { user: '', isTenant: true }, now, geography: cells }
  const everything = { createdBefore: '2100-01-01T00:00:00Z' }
  const tallied = await options(database, refinementNames, questionOf(query), searchContext, size)
  const counted = await options(database, refinementNames, questionOf({ ...query, ...everything }), searchContext, size)
  expect(Object.fromEntries(tallied), JSON.stringify({ query, size })).toEqual(Object.fromEntries(counted))
}

test('tallies equal counts, despite outstanding changes and hidden assignments', async () => {
  const { database } = world.app.platform
  const assignments: { id: string; owner: string }[] = []
  for (let nth = 0; nth < 6; nth++) {
    const { body } = await desk.createAssignment({ body: { name: `Assignment ${nth}` } })
    assignments.push({ id: body.id, owner: `desk${nth % 2}` })
    await database.run(sql`
      update contribution_collection.assignments set owner = ${`desk${nth % 2}`} where tenant = ${tenant} and id = ${body.id}`)
  }
  const all = [...contributions({ contributions: 900, assignments, authors: 60, days: 40 })]
  const random = seededRandom(11)
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const [now, later] = [new Date(), new Date(Date.now() + 60_000)]
  const steps: (() => Promise<unknown>)[] = [
    () => addChanges(database, tenant, 1 + Math.floor(random() * 200)),
    () => markDeleted(database, tenant, pick(all).id, now),
    () => removeContribution(database, tenant, pick(all).id),
    () => {
      const isPublic = random() < 0.5
      const states = { action: 'approve', before: 'pending', after: isPublic ? 'approved' : 'rejected' } as const
      const moderation = { contribution: pick(all).id, moderator: 'm', isPublic, notes: null, ...states }
      // Deleted contributions cannot be moderated.
      return database
        .transaction((db) => moderate(db, tenant, moderation, now))
        .catch((error) => expect(error.code).toBe('23503'))
    },
    () =>
      database.run(sql`
        update contribution_collection.assignments set embargo = ${random() < 0.5 ? later : null},
          deleted_at = ${random() < 0.1 ? now : null}
        where tenant = ${tenant} and id = ${pick(assignments).id}`),
  ]
  for (let round = 0; round < 9; round++) {
    await insertAll(database, tenant, all.slice(round * 100, round * 100 + 100))
    for (let nth = 0; nth < sized(10, 100); nth++) await pick(steps)()
    const moment = random() < 0.3 ? new Date(later.getTime() + 1) : now // after the end of the embargo
    for (const size of [3, 1_000]) {
      await compare({}, size, moment)
      await compare({ ownedBy: 'desk0' }, size, moment)
      for (const { id } of assignments.slice(0, 3)) await compare({ assignment: id }, size, moment)
      await compare({ country: 'gb' }, size, moment)
      await compare({ mediaType: 'video' }, size, moment)
      for (const hasLocation of [true, false]) await compare({ hasLocation }, size, moment)
    }
  }
}, 300_000)

test('concurrent moderations during a tally update are all counted', async () => {
  const other = await world.tenant('other')
  const { assignment } = await approved(other, 'The first', 'At once')
  const countOf = async () => {
    const query = { assignment: assignment.id, refinements: 'mediaType,assignment', counts: true }
    const [option] = (await other.listRefinements({ query })).body.assignment as unknown as { contributions: number }[]
    return option?.contributions
  }
  const ids: string[] = []
  for (let nth = 0; nth < 20; nth++) {
    const body = { assignment: { id: assignment.id }, headline: `No. ${nth}` }
    ids.push((await other.createContribution({ body })).body.id)
  }
  const act = (id: string, action: string) =>
    other.moderateContribution({ params: { id }, body: { action: { id: action } } })
  await Promise.all([...ids.map((id) => act(id, 'approve')), world.app.clock.advance(61_000), world.app.jobs.drain()])
  expect(await countOf()).toBe(21)
  await Promise.all([...ids.slice(0, 15).map((id) => act(id, 'reject')), world.app.jobs.drain()])
  expect(await countOf()).toBe(6)
  await world.app.clock.advance(61_000)
  await world.app.jobs.drain()
  const { outstanding } = await world.app.platform.database.one<{ outstanding: number }>(sql`
    select (select count(*) from contribution_collection.tally_changes)::int
      + (select count(*) from contribution_collection.value_changes)::int as outstanding`)
  expect([outstanding, await countOf()]).toEqual([0, 6])
}, 120_000)
