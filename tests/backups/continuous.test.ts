import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sized } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTo } from '../../services/sql-databases/src/testing/tenant.ts'
import { type ArchivedHost, archivedHost } from './archived-host.ts'
import { type ContinuousWorld, patience, startContinuous, startWriting } from './continuous-world.ts'

const secret = 'what-the-rival-wrote'
let host: ArchivedHost
let world: ContinuousWorld
let acme: Awaited<ReturnType<ContinuousWorld['database']>>
let point: string
/** Times during the writes, before and after the worker was killed. */
const times: Date[] = []

beforeAll(async () => {
  host = await archivedHost()
  world = await startContinuous(host)
  await world.startWorker()
}, 180_000)
afterAll(async () => {
  await world?.[Symbol.asyncDispose]()
  await host?.[Symbol.asyncDispose]()
})

async function restoreTo(at: Date, databaseName: string): Promise<void> {
  const job = await world.startRestore(point, { RestoreTime: at.toISOString(), databaseName })
  expect(await world.outcome(job)).toBe('COMPLETED')
}

/** Expects a restored database to have all rows up to that time and none later. */
async function expectAsOf(at: Date, name: string): Promise<void> {
  await using session = await acme.connect(name)
  const { rows } = await session.query('select max(at) as last, count(*)::int as count from ticks')
  const [{ last, count }] = rows
  expect(last.getTime()).toBeLessThanOrEqual(at.getTime())
  expect(at.getTime() - last.getTime()).toBeLessThan(1_000)
  expect(count).toBeGreaterThan(10)
}

/** Processes whose working directory is in a folder. */
const processesIn = (folder: string) =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
    } catch {
      return false // it has just ended
    }
  })

test('a database under writes is archived until it is deleted, though workers are killed and replaced', async () => {
  acme = await world.database('acme', 'orders')
  const rival = await world.database('rival', 'secrets')
  await using session = await rival.connect('secrets')
  await session.query(`create table secrets as select '${secret}' as text, n from generate_series(1, 1000) as n`)
  const writing = await startWriting((await acme.credentials('orders')).connectionString)
  point = await world.keep('orders')
  expect(await world.points()).toMatchObject([{ Status: 'COMPLETED', BackupSizeInBytes: 0, ResourceName: 'orders' }])
  expect(await world.rule()).toMatchObject({ EnableContinuousBackup: true, Lifecycle: { DeleteAfterDays: 7 } })
  for (let wave = 0; wave < sized(2, 5); wave++) {
    for (let n = 0; n < sized(1, 4); n++) {
      await sleep(1_000 + Math.random() * 1_000)
      times.push(await writing.now())
    }
    await world.killWorker()
    await sleep(500)
    times.push(await writing.now())
    await world.startWorker()
  }
  await sleep(1_000)
  await world.reaches(point, times.at(-1) as Date)
  await writing.stop()
  await acme.client.delete(acme.of('orders'))
  await expect.poll(() => acme.status('orders').catch(() => 'gone'), patience).toBe('gone')
}, 300_000)

test('a restore is at most a second older than the requested time, and never newer', async () => {
  for (const [n, at] of times.slice(-sized(3, 1_000)).entries()) {
    await restoreTo(at, `then-${n}`)
    await expectAsOf(at, `then-${n}`)
  }
  expect(await world.recoveryFolders()).toEqual([])
  // The database has been deleted, also in the archive.
  const last = await world.startRestore(point, { UseLatestRestorableTime: 'true', databaseName: 'last' })
  expect(await world.outcome(last)).toMatch(/^FAILED There was no such database/)
}, 900_000)

test('times outside the recovery window are refused with a message that states the window', async () => {
  const { from, to } = await world.window(point)
  const expected = expect.stringContaining(`from ${from.toISOString()} to `)
  for (const at of [new Date(from.getTime() - 1_000), new Date(to.getTime() + 3_600_000)])
    await expect(world.startRestore(point, { RestoreTime: at.toISOString() })).rejects.toMatchObject({
      status: 400,
      body: { Message: expected },
    })
  await expect(world.startRestore(point, { RestoreTime: 'yesterday' })).rejects.toMatchObject({ status: 400 })
})

test("another tenant's data is neither in the restored database nor readable in the vault or archive", async () => {
  await using session = await acme.connect('then-0')
  const { rows } = await session.query("select relname from pg_class where relnamespace = 'public'::regnamespace")
  expect(rows).toEqual([{ relname: 'ticks' }])
  expect(await readdir(join(world.folder, 'repositories')).catch(() => [])).toEqual([])
  const blobs = await readdir(join(world.folder, 'blobs'), { recursive: true, withFileTypes: true })
  const files = blobs.filter((blob) => blob.isFile()).map((blob) => join(blob.parentPath, blob.name))
  expect(files.length).toBeGreaterThan(1)
  for (const file of files) expect(readFileSync(file).includes(secret)).toBe(false)
})

test('a worker killed during a restore leaves no server or folder, and the next one restores the database', async () => {
  const at = times[0] as Date
  const job = await world.startRestore(point, { RestoreTime: at.toISOString(), databaseName: 'survivor' })
  const folder = join(world.folder, 'recovery')
  await expect.poll(() => processesIn(folder).length, { ...patience, interval: 20 }).toBeGreaterThan(0)
  await world.killWorker()
  await expect.poll(() => processesIn(folder), patience).toEqual([])
  expect(await world.recoveryFolders()).toHaveLength(1)
  await world.startWorker()
  expect(await world.outcome(job)).toBe('COMPLETED')
  await expectAsOf(at, 'survivor')
  await expect.poll(world.recoveryFolders, patience).toEqual([])
}, 300_000)

test('a resource has one continuous recovery point, and deleting it deletes the archive', async () => {
  const before = await world.points()
  await world.database('acme', 'orders') // a new database of the same name: the first one's recovery point is kept
  await world.app.clock.advance(3_600_000)
  await world.jobsDone(2)
  const now = await world.points()
  expect(now.map(({ RecoveryPointArn }) => RecoveryPointArn)).toContain(point)
  expect(now).toHaveLength(before.length + 1)
  await world.app.clock.advance(3_600_000)
  await world.jobsDone(3)
  expect(await world.points()).toHaveLength(before.length + 1)

  const slots = async () => {
    await using session = await connectTo(host.superuserUrl)
    return (await session.query('select slot_name from pg_replication_slots')).rows.length
  }
  expect(await slots()).toBe(1)
  expect(await world.archived('log')).not.toEqual([])
  expect(await world.archived('bases')).not.toEqual([])
  await world.endPlan()
  for (const { RecoveryPointArn = '' } of now)
    await world.calls.DeleteRecoveryPoint({
      params: { backupVaultName: 'daily', recoveryPointArn: RecoveryPointArn },
    })
  await expect.poll(async () => (await world.points()).length, patience).toBe(0)
  await expect
    .poll(
      async () => {
        await world.app.clock.advance(3_600_000)
        return slots()
      },
      { ...patience, interval: 2_000 },
    )
    .toBe(0)
  const left = async () => [...(await world.archived('log')), ...(await world.archived('bases'))]
  await expect.poll(left, patience).toEqual([])
}, 300_000)
