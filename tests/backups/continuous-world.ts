import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as contracts from '@icosa/backup/contract'
import { blobStore } from '@icosa/blobs'
import { client } from '@icosa/client'
import { credentialsFor, startTestApp } from '@icosa/testing'
import pg from 'pg'
import { expect } from 'vitest'
import { tenantOf } from '../../services/sql-databases/src/testing/tenant.ts'
import type { ContinuousOptions } from './continuous-services.ts'
import { continuousServices } from './continuous-services.ts'

export const patience = { timeout: 240_000, interval: 200 }
export const IamRoleArn = 'arn:aws:iam::123456789012:role/backup'

type Host = Omit<ContinuousOptions, 'folder'>

/** An API, and a worker in a separate process that can be killed. */
export async function startContinuous(host: Host) {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'icosa-pitr-'))
  await chmod(folder, 0o711)
  const options: ContinuousOptions = { ...host, folder }
  const services = continuousServices(options)
  const blobs = blobStore({ directory: join(folder, 'blobs') })
  const app = await startTestApp({ services, blobs, worker: undefined } as object as Parameters<typeof startTestApp>[0])
  const { backupJobs, copyJobs, plans, recoveryPoints, restoreJobs, selections, vaults } = contracts
  const all = { ...backupJobs, ...copyJobs, ...plans, ...recoveryPoints, ...restoreJobs, ...selections, ...vaults }
  const calls = client(all, await credentialsFor(app, services[1], 'acme'))
  let worker: ChildProcess | undefined

  const world = {
    app,
    folder,
    calls,
    async startWorker() {
      const child = fork(new URL('./continuous-worker.ts', import.meta.url), [
        JSON.stringify({ ...options, databaseUrl: app.databaseUrl }),
      ])
      await once(child, 'message')
      worker = child
    },
    async killWorker() {
      if (!worker || worker.exitCode !== null || worker.signalCode !== null) return
      const exit = once(worker, 'exit')
      worker.kill('SIGKILL')
      await exit
    },
    /** Creates a tenant's database and waits until it can be used. */
    async database(tenant: string, name: string) {
      const owner = await tenantOf(app, tenant, tenant)
      await owner.create(name)
      await expect.poll(() => owner.status(name), patience).toBe('Online')
      return owner
    },
    /** Creates a continuous recovery point of a tenant's database by a plan. */
    async keep(name: string, more: object = {}): Promise<string> {
      await calls.CreateBackupVault({ params: { backupVaultName: 'daily' }, body: {} })
      const rule = {
        RuleName: 'always',
        TargetBackupVaultName: 'daily',
        ScheduleExpression: 'rate(1 hour)',
        EnableContinuousBackup: true,
        Lifecycle: { DeleteAfterDays: 7 },
        ...more,
      }
      const { body } = await calls.CreateBackupPlan({ body: { BackupPlan: { BackupPlanName: 'all', Rules: [rule] } } })
      const selection = { SelectionName: 'these', IamRoleArn, Resources: [`*/databases/${name}`] }
      const params = { backupPlanId: body.BackupPlanId ?? '' }
      await calls.CreateBackupSelection({ params, body: { BackupSelection: selection } })
      await app.clock.advance(3_600_000)
      await world.jobsDone(1)
      const [point] = await world.points()
      return point?.RecoveryPointArn ?? ''
    },
    async rule() {
      const [plan] = (await calls.ListBackupPlans({ query: {} })).body.BackupPlansList
      const params = { backupPlanId: plan?.BackupPlanId ?? '' }
      return (await calls.GetBackupPlan({ params, query: {} })).body.BackupPlan?.Rules[0]
    },
    async endPlan(): Promise<void> {
      const [plan] = (await calls.ListBackupPlans({ query: {} })).body.BackupPlansList
      const backupPlanId = plan?.BackupPlanId ?? ''
      const all = (await calls.ListBackupSelections({ params: { backupPlanId }, query: {} })).body.BackupSelectionsList
      for (const { SelectionId = '' } of all)
        await calls.DeleteBackupSelection({ params: { backupPlanId, selectionId: SelectionId } })
      await calls.DeleteBackupPlan({ params: { backupPlanId } })
    },
    async jobsDone(count: number): Promise<void> {
      const states = async () =>
        (await calls.ListBackupJobs({ query: {} })).body.BackupJobs.map(
          ({ State, StatusMessage = '' }) => `${State} ${StatusMessage}`,
        )
      await expect.poll(states, patience).toEqual(Array.from({ length: count }, () => 'COMPLETED '))
    },
    points: async () =>
      (await calls.ListRecoveryPointsByBackupVault({ params: { backupVaultName: 'daily' }, query: {} })).body
        .RecoveryPoints,
    async window(recoveryPointArn: string) {
      const params = { backupVaultName: 'daily', recoveryPointArn }
      const { RestoreMetadata = {} } = (await calls.GetRecoveryPointRestoreMetadata({ params, query: {} })).body
      const { EarliestRestorableTime = '', LatestRestorableTime = '' } = RestoreMetadata
      return { from: new Date(EarliestRestorableTime), to: new Date(LatestRestorableTime) }
    },
    reaches: (point: string, at: Date) =>
      expect.poll(async () => (await world.window(point)).to >= at, patience).toBe(true),
    startRestore: async (RecoveryPointArn: string, Metadata: Record<string, string>) =>
      (await calls.StartRestoreJob({ body: { RecoveryPointArn, Metadata } })).body.RestoreJobId,
    /** Waits for the end of a restore job and returns its status. */
    async outcome(restoreJobId: string): Promise<string> {
      const job = async () => (await calls.DescribeRestoreJob({ params: { restoreJobId } })).body
      await expect.poll(async () => (await job()).CompletionDate !== undefined, patience).toBe(true)
      const { Status, StatusMessage = '' } = await job()
      return `${Status} ${StatusMessage}`.trim()
    },
    /** Archived WAL chunks or base backups. */
    archived: async (kind: 'log' | 'bases') =>
      (await readdir(join(folder, 'blobs'), { recursive: true })).filter((name) =>
        new RegExp(`/d-archive/d-\\d+/d-${kind}/o-`).test(name),
      ),
    recoveryFolders: () => readdir(join(folder, 'recovery')).catch(() => []),
    async [Symbol.asyncDispose]() {
      await world.killWorker()
      await app[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
  return world
}

export type ContinuousWorld = Awaited<ReturnType<typeof startContinuous>>

/**
 * Time on the SQL host's clock at which all earlier writes are committed. A `Date` has milliseconds and a commit
 * microseconds: without the pause, the time could precede a commit of the same millisecond.
 */
export async function timeOf(session: { query(text: string): Promise<pg.QueryResult<{ at: Date }>> }): Promise<Date> {
  const { rows } = await session.query('select clock_timestamp() as at from pg_sleep(0.002)')
  return rows[0]?.at ?? new Date(Number.NaN)
}

/** Writes the time into a table about twenty times a second until stopped. */
export async function startWriting(url: string) {
  const writer = new pg.Client({ connectionString: url })
  writer.on('error', () => {})
  await writer.connect()
  await writer.query('create table ticks (at timestamptz not null)')
  let isOver = false
  const writing = (async () => {
    while (!isOver) {
      await writer.query('insert into ticks values (clock_timestamp())').catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })()
  return {
    now: () => timeOf(writer),
    async stop() {
      isOver = true
      await writing
      await writer.end()
    },
  }
}
