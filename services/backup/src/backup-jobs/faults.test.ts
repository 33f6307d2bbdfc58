import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { openRestic } from '../restic/restic.ts'
import { settings } from '../settings.ts'
import { arn, IamRoleArn, noise, startBackup, tenant, thingArn, type World } from '../testing/app.ts'
import { repositoryOf } from '../vaults/repository.ts'
import * as vaults from '../vaults/store.ts'

/** How often somebody is killed, at a moment that nobody chose. */
const kills = sized(1, 40)
/** How many of each vault are then restored; the others were read by `verify`. */
const restored = sized(2, 1_000)
const patience = { timeout: 120_000, interval: 250 }

async function startWorker({ app, folder }: World): Promise<ChildProcess> {
  const options = JSON.stringify({ databaseUrl: app.databaseUrl, folder })
  const child = fork(new URL('../testing/worker.ts', import.meta.url), [options])
  const died = once(child, 'exit').then(() => Promise.reject(new Error('the worker died at its start')))
  await Promise.race([once(child, 'message'), died])
  died.catch(() => {})
  return child
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
  const exit = once(worker, 'exit')
  worker.kill('SIGKILL')
  await exit
}

test(`killed ${kills} times: what says that it is complete can be restored, what began ends, and nothing is left over`, async () => {
  await using world = await startBackup({ worker: undefined } as object)
  const { calls, app } = world
  for (const backupVaultName of ['one', 'two']) await calls.CreateBackupVault({ params: { backupVaultName }, body: {} })
  const contents = [noise(3_000_000, 'a'), noise(5_000_000, 'b')]
  for (const [n, content] of contents.entries()) await world.thing(`thing-${n}`, content)
  const start = (n: number) =>
    calls.StartBackupJob({ body: { BackupVaultName: 'one', ResourceArn: thingArn(`thing-${n}`), IamRoleArn } })
  const isOver = async () =>
    (await calls.ListBackupJobs({ query: {} })).body.BackupJobs.every(({ CompletionDate }) => CompletionDate) &&
    (await calls.ListCopyJobs({ query: {} })).body.CopyJobs.every(({ CompletionDate }) => CompletionDate)

  let worker = await startWorker(world)
  for (let round = 0; round < kills; round++) {
    await Promise.all([start(0), start(1)])
    const [point] = (await calls.ListRecoveryPointsByBackupVault({ params: { backupVaultName: 'one' }, query: {} }))
      .body.RecoveryPoints
    const DestinationBackupVaultArn = arn('backup-vault:two')
    if (point?.RecoveryPointArn) {
      const { RecoveryPointArn } = point
      const body = { RecoveryPointArn, SourceBackupVaultName: 'one', DestinationBackupVaultArn, IamRoleArn }
      await calls.StartCopyJob({ body })
    }
    await sleep(Math.random() * 3_000)
    if (round % 2 === 0) {
      await kill(worker)
      worker = await startWorker(world)
    } else for (const pid of resticsOf(worker)) process.kill(Number(pid), 'SIGKILL')
    await expect.poll(isOver, patience).toBe(true)
  }

  const { BackupJobs } = (await calls.ListBackupJobs({ query: {} })).body
  expect(BackupJobs).toHaveLength(2 * kills)
  const { database, vault: seal } = app.platform
  const restic = openRestic({ ...settings.read({}), repositories: join(world.folder, 'repositories') })
  for (const backupVaultName of ['one', 'two']) {
    const all = await calls.ListRecoveryPointsByBackupVault({ params: { backupVaultName }, query: { maxResults: 200 } })
    const points = all.body.RecoveryPoints
    const row = (await vaults.find(database, tenant, backupVaultName)) as vaults.VaultRow
    const repository = repositoryOf(row, seal)
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
  await kill(worker)
}, 900_000)
