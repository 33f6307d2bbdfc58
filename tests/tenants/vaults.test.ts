import { createHash } from 'node:crypto'
import { mkdir, mkdtempDisposable, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noise, startBackup, tenant, type World } from '@icosa/backup/testing/app'
import { testService } from '@icosa/backup/testing/service'
import { raw, sql } from '@icosa/kernel'
import { seededBelow, sized } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MoveCell } from '../../apps/server/src/moves/cell.ts'
import { blockers, moveTenant } from '../../apps/server/src/moves/move.ts'
import { openMove } from '../../apps/server/src/moves/store.ts'
import {
  shareDataKeys,
  startTestServer,
  type TestCells,
  type TestServer,
} from '../../apps/server/src/moves/testing/cells.ts'
import { Crash, crashing } from '../../apps/server/src/moves/testing/crashes.ts'
import { leftovers } from '../../apps/server/src/moves/testing/writers.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer([testService('/nonexistent')])
})
afterAll(() => server[Symbol.asyncDispose]())

const megabyte = 2 ** 20
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

/** Two cells with folders of their own, and a vault with some recovery points in the first. */
async function startVaults() {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await mkdtempDisposable(join(tmpdir(), 'icosa-vaults-'))).path
  const folders = { here: join(folder, 'here'), there: join(folder, 'there') }
  for (const path of Object.values(folders)) await mkdir(path)
  const world = stack.use(await server.cells(tenant, 'other'))
  const [source, target] = [folders.here, folders.there].map((repositories) => testService(folder, { repositories }))
  const services = [{ service: 'backup', source: source?.moves ?? 'withRows', target: target?.moves ?? 'withRows' }]
  const start = ({ databaseUrl }: MoveCell, repositories: string) => startBackup({ databaseUrl }, { repositories })
  const here = stack.use(await start(world.cells.source, folders.here))
  await shareDataKeys(world)
  await here.calls.CreateBackupVault({ params: { backupVaultName: 'daily' }, body: {} })
  const points: string[] = []
  for (const name of ['one', 'two']) {
    await here.thing(name, noise(sized(1, 20) * megabyte, name))
    points.push(await here.backUp(name, 'daily'))
  }
  const moved = stack.move()
  return {
    here,
    folders,
    points,
    world: { ...world, cells: { ...world.cells, services } } satisfies TestCells,
    /** A node of the second cell, with a key of the tenant, which has to live there. */
    startThere: () => start(world.cells.target, folders.there),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

/** Hashes of all files of all repositories, without locks. */
async function filesIn(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const hashes = new Map<string, string>()
  for (const file of files.toSorted())
    hashes.set(
      file.slice(folder.length + 1),
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    )
  return hashes
}

const restored = async (world: World, point: string, name: string) => {
  expect(await world.restore(point, { name })).toMatchObject({ Status: 'COMPLETED' })
  return readFile(join(world.folder, 'things', name))
}

test('vaults move with all recovery points, which are restored there, and come back with those made since', async () => {
  await using moving = await startVaults()
  const { here, startThere, folders, world, points } = moving
  expect(await blockers(world.cells, tenant)).toEqual([])
  const lines: string[] = []
  let holds = 0
  const route = {
    ...world.route,
    async hold(of: string) {
      await world.route.hold(of)
      if (holds++ > 0) return
      // A job has begun before writes were kept out.
      const [vault = ''] = await readdir(folders.here)
      await writeFile(join(folders.here, vault, 'locks', 'busy'), '')
    },
    async release(of: string) {
      await world.route.release(of)
      const [vault = ''] = await readdir(folders.here)
      await rm(join(folders.here, vault, 'locks', 'busy'), { force: true })
    },
  }
  const before = await filesIn(folders.here)
  const move = await moveTenant({ ...world, tenant, route, say: (line) => void lines.push(line) })
  console.log(move.detail)
  expect(move).toMatchObject({
    state: 'reversible',
    isEqual: true,
    detail: expect.stringContaining(`1 vaults with ${before.size} files are equal`),
  })
  expect(lines.filter((line) => line.includes('A job uses the vault'))).toHaveLength(1)
  expect(await filesIn(folders.there)).toEqual(before)
  await using there = await startThere()
  expect(await restored(there, points[0] ?? '', 'again')).toEqual(noise(sized(1, 20) * megabyte, 'one'))

  await there.thing('three', noise(megabyte, 'three'))
  const late = await there.backUp('three', 'daily')
  const now = await filesIn(folders.there)
  expect(now.size).toBeGreaterThan(before.size)
  expect(await moveTenant({ ...world, tenant }, 'back')).toMatchObject({ state: 'returned' })
  expect(await filesIn(folders.here)).toEqual(now)
  expect(await filesIn(folders.there)).toEqual(new Map())
  expect(await restored(here, late, 'here')).toEqual(noise(megabyte, 'three'))

  await moveTenant({ ...world, tenant })
  expect(await moveTenant({ ...world, tenant }, 'finish')).toMatchObject({ state: 'finished' })
  expect(await filesIn(folders.here), 'deleted in the old cell').toEqual(new Map())
  expect(await restored(there, late, 'there')).toEqual(noise(megabyte, 'three'))
  expect(await leftovers(world)).toEqual([])
})

test('of a vault that is deleted while it is copied, nothing stays in the other cell', async () => {
  await using moving = await startVaults()
  const { folders, world } = moving
  const route = {
    ...world.route,
    async hold(of: string) {
      await world.route.hold(of)
      const { database } = world.cells.source
      for (const table of ['recovery_points', 'vaults'])
        await database.run(sql`delete from ${raw(`backup.${table}`)} where tenant = ${tenant}`)
    },
  }
  const move = await moveTenant({ ...world, tenant, route })
  expect(move).toMatchObject({ state: 'reversible', detail: expect.not.stringContaining('vaults') })
  expect(await readdir(folders.there)).not.toContainEqual(expect.stringMatching(/^moving-/))
})

test('vaults in a common folder stay where they are, also after the move is finished', async () => {
  await using moving = await startVaults()
  const { folders, world, points } = moving
  const { moves } = testService('/nonexistent', { repositories: folders.here })
  const cells = { ...world.cells, services: [{ service: 'backup', source: moves, target: moves }] }
  const before = await filesIn(folders.here)
  expect(await moveTenant({ ...world, cells, tenant })).toMatchObject({
    isEqual: true,
    detail: expect.stringContaining('1 vaults stay where they are'),
  })
  await moveTenant({ ...world, cells, tenant }, 'finish')
  expect(await filesIn(folders.here)).toEqual(before)
  await using node = await startBackup({ databaseUrl: world.cells.target.databaseUrl }, { repositories: folders.here })
  expect(await restored(node, points[1] ?? '', 'two')).toEqual(noise(sized(1, 20) * megabyte, 'two'))
})

test('a damaged file, an unknown folder and a bucket keep a vault from moving, each by name', async () => {
  await using moving = await startVaults()
  const { folders, world } = moving
  const problems = (place: Partial<{ repositories: string; marker: string }>) => {
    const target = testService('/nonexistent', { repositories: folders.there, ...place }).moves
    const [service] = world.cells.services
    return blockers({ ...world.cells, services: service ? [{ ...service, target }] : [] }, tenant)
  }
  expect(await problems({ repositories: 's3:https://s3.example.com/other' })).toEqual([
    expect.stringMatching(/^The backup vault 'daily' cannot be copied to or from the bucket of b: give both cells one/),
  ])
  expect(await problems({ marker: '.mounted' })).toEqual([expect.stringMatching(/of b is not mounted here/)])
  const [pack = ''] = [...(await filesIn(folders.here)).keys()].filter((file) => file.includes('/data/'))
  const file = join(folders.here, pack)
  const content = await readFile(file)
  content[100] = (content[100] ?? 0) ^ 1
  await rm(file)
  await writeFile(file, content)
  expect(await moveTenant({ ...world, tenant })).toMatchObject({
    state: 'cancelled',
    detail: expect.stringContaining(`${pack} is damaged`),
  })
  expect(await filesIn(folders.there), 'nothing is left at the target').toEqual(new Map())
  expect(await world.routed(tenant)).toMatchObject({ cell: 'a', isHeld: false })
})

/** Runs a mover that is killed at one of its next statements or steps, again and again until one is not. */
async function withCrashes(world: TestCells, next: () => number, request?: 'back' | 'cancel') {
  for (let crashes = 0; ; crashes++)
    try {
      const { state } = (await openMove(world.directory, tenant)) ?? {}
      const isNoted = state === 'returning' || state === 'cancelling'
      if (request !== undefined && state === undefined) return crashes
      await moveTenant(
        { ...crashing(world, crashes < 12 ? next() : Number.POSITIVE_INFINITY), tenant },
        isNoted ? undefined : request,
      )
      return crashes
    } catch (error) {
      if (!(error instanceof Crash)) throw error
    }
}

test(`a mover that is killed anywhere continues: there, back, and cancelled (seed ${seed})`, async () => {
  const below = seededBelow(seed)
  await using moving = await startVaults()
  const { folders, world } = moving
  const before = await filesIn(folders.here)
  let crashes = 0
  for (let round = 0; round < sized(1, 10); round++) {
    crashes += await withCrashes(world, () => 1 + below(400))
    expect(await filesIn(folders.there)).toEqual(before)
    crashes += await withCrashes(world, () => 1 + below(100), 'back')
    expect(await filesIn(folders.here)).toEqual(before)
    expect(await filesIn(folders.there)).toEqual(new Map())
    await expect(moveTenant({ ...crashing(world, 300 + below(100)), tenant })).rejects.toThrow(Crash)
    const { state } = (await openMove(world.directory, tenant)) ?? {}
    crashes += await withCrashes(world, () => 1 + below(100), state === 'reversible' ? 'back' : 'cancel')
    expect(await filesIn(folders.there)).toEqual(new Map())
    expect(await filesIn(folders.here)).toEqual(before)
    expect(await leftovers(world)).toEqual([])
  }
  console.log(`${crashes} crashes`)
})
