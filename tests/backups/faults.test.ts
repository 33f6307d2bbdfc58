import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { backup } from '@icosa/backup'
import { settings } from '@icosa/backup/settings'
import { openDatabase, prepareDatabase } from '@icosa/kernel'
import { sized, startProxy } from '@icosa/testing'
import { expect, test } from 'vitest'
import { openRestic } from '../../services/backup/src/restic/restic.ts'
import { arn, IamRoleArn, noise, startBackup, tenant, thingArn } from '../../services/backup/src/testing/app.ts'
import { repositoryOf } from '../../services/backup/src/vaults/repository.ts'
import * as vaults from '../../services/backup/src/vaults/store.ts'
import { ownPostgres } from '../chaos/own-postgres.ts'

const kinds = ['worker', 'restic', 'PostgreSQL', 'connections'] as const
type Kind = (typeof kinds)[number]
/** How often each kind is killed or cut off, at a random moment, before all started jobs must have ended. */
const waves = sized(1, 10)
const faults = waves * kinds.length
/** Recovery points restored from each vault; `verify` reads the others. */
const restored = sized(1, 1_000)
const patience = { timeout: 300_000, interval: 250 }

async function startWorker(options: { databaseUrl: string; folder: string }): Promise<ChildProcess> {
  const child = fork(new URL('../../services/backup/src/testing/worker.ts', import.meta.url), [JSON.stringify(options)])
  const isReady = await Promise.race([once(child, 'message').then(() => true), once(child, 'exit').then(() => false)])
  return isReady ? child : startWorker(options) // as a supervisor would after a long outage of the database
}

/** The restic processes of a worker. */
const resticsOf = (worker: ChildProcess) => {
  try {
    return execFileSync('pgrep', ['-P', String(worker.pid), 'restic'], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)
  } catch {
    return [] // there is none
  }
}

async function kill(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return
  const exit = once(worker, 'exit')
  worker.kill('SIGKILL')
  await exit
}

test(`after ${faults} faults, completed backups can be restored, all jobs end and nothing is left over`, async () => {
  await using server = await ownPostgres()
  const prepared = openDatabase({ url: server.url, maxConnections: 2, onError: () => {} })
  await prepareDatabase(prepared, [backup({ ...settings.read({}), region: 'us-east-1', repositories: '' })])
  await prepared.close()
  await using callers = await startProxy(server.url)
  await using workers = await startProxy(server.url)
  await using world = await startBackup({ worker: undefined, databaseUrl: callers.url } as object)
  const { calls, app } = world
  const options = { databaseUrl: workers.url, folder: world.folder }
  const names = ['one', 'two'] as const
  for (const backupVaultName of names) await calls.CreateBackupVault({ params: { backupVaultName }, body: {} })
  const contents = [noise(3_000_000, 'a'), noise(5_000_000, 'b')]
  for (const [n, content] of contents.entries()) await world.thing(`thing-${n}`, content)
  const pointsOf = async (backupVaultName: string) =>
    (await calls.ListRecoveryPointsByBackupVault({ params: { backupVaultName }, query: { maxResults: 1_000 } })).body
      .RecoveryPoints

  const start = (n: number) =>
    calls.StartBackupJob({ body: { BackupVaultName: 'one', ResourceArn: thingArn(`thing-${n}`), IamRoleArn } })
  /** Recovery points being copied and restored, which must not be deleted meanwhile. */
  const used = new Set<string>()
  /** Starts two backups, a copy, a restore and a deletion. */
  async function begin(name: string) {
    const points = (await pointsOf('one')).filter(({ Status }) => Status === 'COMPLETED')
    await Promise.all([start(0), start(1)])
    const RecoveryPointArn = points[0]?.RecoveryPointArn ?? ''
    const DestinationBackupVaultArn = arn('backup-vault:two')
    const copy = { RecoveryPointArn, SourceBackupVaultName: 'one', DestinationBackupVaultArn, IamRoleArn }
    await calls.StartCopyJob({ body: copy })
    await calls.StartRestoreJob({ body: { RecoveryPointArn, Metadata: { name } } })
    used.add(RecoveryPointArn)
    const oldest = points.findLast((point) => !used.has(point.RecoveryPointArn ?? ''))?.RecoveryPointArn
    if (oldest !== undefined)
      await calls.DeleteRecoveryPoint({ params: { backupVaultName: 'one', recoveryPointArn: oldest } })
  }
  const isOver = async () => {
    const all = [
      ...(await calls.ListBackupJobs({ query: { maxResults: 1_000 } })).body.BackupJobs,
      ...(await calls.ListCopyJobs({ query: { maxResults: 1_000 } })).body.CopyJobs,
      ...(await calls.ListRestoreJobs({ query: { maxResults: 1_000 } })).body.RestoreJobs,
    ]
    const points = (await Promise.all(names.map(pointsOf))).flat()
    return all.every(({ CompletionDate }) => CompletionDate) && points.every(({ Status }) => Status === 'COMPLETED')
  }
  const isOverSoon = () => expect.poll(() => isOver().catch(() => false), patience).toBe(true)

  let worker = await startWorker(options)
  const strike: Readonly<Record<Kind, () => Promise<void>>> = {
    async worker() {
      await kill(worker)
      worker = await startWorker(options)
    },
    async restic() {
      for (const pid of resticsOf(worker)) process.kill(Number(pid), 'SIGKILL')
    },
    async PostgreSQL() {
      await server.kill()
      const url = await server.start()
      for (const proxy of [callers, workers]) {
        proxy.lead(url)
        proxy.become('refusing')
        proxy.become('through')
      }
      await expect.poll(() => pointsOf('one').catch(() => undefined), patience).toBeDefined()
    },
    async connections() {
      workers.become('refusing')
      await sleep(Math.random() * 1_000)
      workers.become('through')
    },
  }
  await Promise.all([start(0), start(1)])
  await isOverSoon()
  for (let wave = 0; wave < waves; wave++) {
    for (const kind of kinds) {
      await begin(`${wave}-${kind}`)
      await sleep(Math.random() * 3_000)
      await strike[kind]()
      expect(worker.exitCode, kind).toBeNull()
    }
    await isOverSoon()
    used.clear()
  }

  const { BackupJobs } = (await calls.ListBackupJobs({ query: { maxResults: 1_000 } })).body
  expect(BackupJobs).toHaveLength(2 * (faults + 1))
  const { RestoreJobs } = (await calls.ListRestoreJobs({ query: { maxResults: 1_000 } })).body
  const tried = RestoreJobs.filter(({ Status }) => Status === 'COMPLETED')
  for (const { CreatedResourceArn = '' } of tried) {
    const content = await world.read(CreatedResourceArn.split('/').at(-1) ?? '')
    expect(contents.some((one) => one.toString() === content)).toBe(true)
  }
  const { database, cellVault } = app.platform
  const restic = openRestic({ ...settings.read({}), repositories: join(world.folder, 'repositories') })
  const checkVault = async (backupVaultName: string) => {
    const points = await pointsOf(backupVaultName)
    const row = (await vaults.find(database, tenant, backupVaultName)) as vaults.VaultRow
    const repository = repositoryOf(row, await cellVault.of(tenant))
    await expect
      .poll(async () => (await restic.list(repository, AbortSignal.timeout(60_000))).length, patience)
      .toBe(points.length)
    await restic.verify(repository)
    for (const [n, { RecoveryPointArn = '', ResourceName }] of points.slice(0, restored).entries()) {
      const Metadata = { name: `${backupVaultName}-${n}` }
      const { RestoreJobId } = (await calls.StartRestoreJob({ body: { RecoveryPointArn, Metadata } })).body
      const params = { restoreJobId: RestoreJobId }
      await expect
        .poll(async () => (await calls.DescribeRestoreJob({ params })).body.Status, patience)
        .toBe('COMPLETED')
      const expected = contents[ResourceName === 'thing-0' ? 0 : 1]?.toString()
      expect((await world.read(Metadata.name)) === expected).toBe(true)
    }
  }
  await Promise.all(names.map(checkVault))
  const states = Map.groupBy(BackupJobs, ({ State }) => State)
  console.log(
    `${faults} faults: ${[...states].map(([state, all]) => `${all.length} backups ${state}`).join(', ')}, ` +
      `${tried.length} of ${RestoreJobs.length} restores during them COMPLETED${RestoreJobs.map(
        ({ Status, StatusMessage = '' }) => (Status === 'COMPLETED' ? '' : `; ${StatusMessage}`),
      ).join('')}`,
  )
  await kill(worker)
}, 3_600_000)
