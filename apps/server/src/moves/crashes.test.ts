import { sql } from '@icosa/kernel'
import { platform } from '@icosa/platform'
import { example, seededBelow, sized } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MoveOptions, moveTenant, type Request } from './move.ts'
import { openMove } from './store.ts'
import { startTestServer, type TestCells, type TestServer } from './testing/cells.ts'
import { Crash, crashing } from './testing/crashes.ts'
import { leftovers, notesIn, rowsOf, startWriters } from './testing/writers.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer([example, platform])
})
afterAll(() => server[Symbol.asyncDispose]())

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const below = seededBelow(seed)
const tenant = "ada's\\"

/** Runs a mover that is killed at a random statement, until one is not. */
async function withCrashes(world: TestCells, request?: Request): Promise<number> {
  for (let crashes = 0; ; crashes++) {
    const mover = crashing(world, crashes < 3 ? 1 + below(request === undefined ? 700 : 300) : Number.POSITIVE_INFINITY)
    const options: MoveOptions = { ...mover, tenant }
    try {
      // What the operator wanted was noted unless it was killed before.
      const move = await openMove(world.directory, tenant)
      const isNoted =
        request === undefined ||
        !move ||
        !['copying', 'following', 'fenced', 'reversible', 'checking'].includes(move.state)
      if (request !== undefined && !move) return crashes
      await moveTenant(options, isNoted ? undefined : request)
      return crashes
    } catch (error) {
      if (!(error instanceof Crash)) throw error
    }
  }
}

test(`movers that are killed at any statement are resumed, and nothing is lost or left over (seed ${seed})`, async () => {
  await using world = await server.cells(tenant)
  await using writers = startWriters(world, tenant, 2)
  let cells = world.cells
  let crashes = 0
  const ends = new Map<string, number>()
  for (let n = 0; n < sized(20, 100); n++) {
    const here = { ...world, cells }
    const wish = (['finish', 'back', 'cancel'] as const)[below(3)] ?? 'finish'
    if (wish === 'cancel')
      await moveTenant({ ...crashing(here, 40 + below(500)), tenant }).catch((error) =>
        expect(error).toBeInstanceOf(Crash),
      )
    else crashes += await withCrashes(here)
    const { state } = (await openMove(world.directory, tenant)) ?? {}
    if (state === undefined) continue
    const canCancel = ['checking', 'copying', 'following', 'fenced'].includes(state)
    if (wish === 'cancel' && !canCancel) crashes += await withCrashes(here)
    const request = wish === 'cancel' ? (canCancel ? 'cancel' : 'back') : wish
    crashes += await withCrashes(here, request)
    ends.set(request, (ends.get(request) ?? 0) + 1)
    const { cell } = (await world.routed(tenant)) ?? {}
    expect(cell).toBe(request === 'finish' ? cells.target.name : cells.source.name)
    expect(await leftovers(world)).toEqual([])
    expect(await rowsOf((request === 'finish' ? cells.source : cells.target).database, tenant)).toBe(0)
    if (request === 'finish') cells = { ...cells, source: cells.target, target: cells.source }
    // It is written where it lives.
    const written = writers.acknowledged.length
    await expect.poll(() => writers.acknowledged.length).toBeGreaterThan(written + 5)
  }
  const acknowledged = await writers.stop()
  const { database } = cells.source
  expect(await notesIn(database, tenant)).toEqual(acknowledged)
  const jobs = await database.many<{ id: string }>(
    sql`select payload -> 'input' ->> 'noteId' as id from icosa.jobs order by 1`,
  )
  expect(jobs.map(({ id }) => id)).toEqual(acknowledged)
  console.log(`${JSON.stringify(Object.fromEntries(ends))}, ${crashes} crashes, ${acknowledged.length} writes`)
})
