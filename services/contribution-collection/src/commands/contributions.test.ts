import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { contributionCollection } from '../index.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { type Ask, startContributions, type World } from '../testing/app.ts'
import { installPostgis } from '../testing/postgis-store.ts'
import { contributions } from './contributions.ts'

let world: World
let ask: Ask
beforeAll(async () => {
  world = await startContributions()
  ask = await world.tenant()
  const { body: assignment } = await ask.createAssignment({ body: { name: 'Places' } })
  for (const [headline, latitude, longitude] of [
    ['Near', 51.5, -0.12],
    ['Far', 48.85, 2.35],
  ] as const) {
    const place = { latLong: { latitude, longitude } }
    const { body } = await ask.createContribution({ body: { assignment: { id: assignment.id }, headline, place } })
    await ask.moderateContribution({ params: { id: body.id }, body: { action: { id: 'approve' } } })
  }
})
afterAll(() => world[Symbol.asyncDispose]())

/** Output of the command. */
async function run(...words: string[]): Promise<string> {
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
  try {
    await contributions.run({
      words,
      flags: {},
      withDatabase: (work: (database: typeof world.app.platform.database) => unknown) =>
        work(world.app.platform.database),
    } as never)
    return stdout.mock.calls.map(([text]) => text).join('')
  } finally {
    stdout.mockRestore()
  }
}

/** The geography adapter of a node started now. */
async function geographyOfNextNode(): Promise<string> {
  const closing: (() => unknown)[] = []
  const runtime = (await contributionCollection().start?.(world.app.platform, (close) =>
    closing.push(close),
  )) as ServiceRuntime
  for (const close of closing.toReversed()) await close()
  return runtime.geography.name
}

test('the command prints its usage, and what an administrator must do first', async () => {
  await expect(run()).rejects.toThrow('Usage: icosa contributions postgis')
  await expect(run('spatialite')).rejects.toThrow('Usage: icosa contributions postgis')
  await expect(run('postgis')).rejects.toThrow('create extension postgis')
  expect(await geographyOfNextNode()).toBe('cells')
})

test('the command is idempotent and creates the index that the next node uses', async ({ skip }) => {
  if (!(await installPostgis(world.app.databaseUrl))) skip('the server has no PostGIS')
  expect(await geographyOfNextNode(), 'the extension alone is not enough').toBe('cells')
  for (let nth = 0; nth < 2; nth++) expect(await run('postgis')).toContain('after their next start')
  expect(await geographyOfNextNode()).toBe('postgis')
  await using next = await startContributions({}, { databaseUrl: world.app.databaseUrl })
  const key = await world.app.key('news')
  for (const node of [world, next]) {
    const { body } = await node.as(key).listContributions({ query: { latLong: '51.5,-0.1', radius: 5 } })
    expect(body.map(({ headline }) => headline)).toEqual(['Near'])
  }
})
