/**
 * Cost of many recovery points and a large plan: pages of a list, the search for due points, and the creation of the
 * jobs of one run. BENCH_POINTS is the number of points (1,000,000), BENCH_RESOURCES that of resources of a plan
 * (10,000). `scripts/postgres run node bench/backup/scale.ts`
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plans, recoveryPoints, selections, vaults } from '@icosa/backup/contract'
import { client } from '@icosa/client'
import { jobsIn, resourcesIn } from '@icosa/kernel'
import { credentialsFor, startTestApp } from '@icosa/testing'
import { jobsOf } from '../../services/backup/src/jobs.ts'
import * as planStore from '../../services/backup/src/plans/store.ts'
import { expire } from '../../services/backup/src/recovery-points/maintenance-store.ts'
import { testService } from '../../services/backup/src/testing/service.ts'
import { median, record } from '../figures.ts'
import { fillPoints, fillResources, sizeOfPoints } from './scale-store.ts'

const points = Number(process.env.BENCH_POINTS ?? 1_000_000)
const resources = Number(process.env.BENCH_RESOURCES ?? 10_000)
const due = Math.min(10_000, points / 10)
const tenant = 'acme'
const backupVaultName = 'many'
const number = (value: number) => value.toLocaleString('en')

const folder = await mkdtemp(join(tmpdir(), 'icosa-bench-'))
const service = testService(folder)
const app = await startTestApp({ services: [service] })
try {
  const { database, clock, queue, backups } = app.platform
  const owner = await credentialsFor(app, service, tenant)
  const calls = client({ ...plans, ...recoveryPoints, ...selections, ...vaults }, owner)
  await calls.CreateBackupVault({ params: { backupVaultName }, body: {} })
  await fillPoints(database, { tenant, vault: backupVaultName, points, due, now: clock.now() })
  const { bytes, rows } = await sizeOfPoints(database)

  const list = async (query: { createdBefore?: string; nextToken?: string }) => {
    const began = performance.now()
    const { body } = await calls.ListRecoveryPointsByBackupVault({
      params: { backupVaultName },
      query: { maxResults: 1_000, ...query },
    })
    if (body.RecoveryPoints.length !== 1_000) throw new Error('The page is not full.')
    return performance.now() - began
  }
  const pageMs = async (query: { createdBefore?: string }) => {
    const all: number[] = []
    for (let n = 0; n < 21; n++) all.push(await list(query))
    return median(all)
  }
  const ago = (hours: number) => new Date(clock.now().getTime() - hours * 3_600_000).toISOString()
  const firstPage = await pageMs({})
  const middlePage = await pageMs({ createdBefore: ago(points / 2 / 3_600) })

  const began = performance.now()
  let deleted = 0
  for (let count = 1; count > 0; deleted += count)
    count = (await database.transaction((db) => expire(db, clock.now(), 1_000))).length
  const again = performance.now()
  await database.transaction((db) => expire(db, clock.now(), 1_000))
  const nothingDueMs = performance.now() - again

  await fillResources(resourcesIn(database, clock, 'backup', tenant), resources)
  const Rules = [{ RuleName: 'hourly', TargetBackupVaultName: backupVaultName, ScheduleExpression: 'rate(1 hour)' }]
  const { body: plan } = await calls.CreateBackupPlan({ body: { BackupPlan: { BackupPlanName: 'large', Rules } } })
  const backupPlanId = plan.BackupPlanId ?? ''
  const BackupSelection = {
    SelectionName: 'all',
    IamRoleArn: 'arn:aws:iam::123456789012:role/any',
    ListOfTags: [{ ConditionType: 'STRINGEQUALS' as const, ConditionKey: 'stage', ConditionValue: 'live' }],
  }
  await calls.CreateBackupSelection({ params: { backupPlanId }, body: { BackupSelection } })
  const row = await database.transaction((db) => planStore.lock(db, tenant, backupPlanId))
  const ruleId = row?.document.Rules[0]?.RuleId ?? ''
  const { planning } = jobsOf('us-east-1')
  const fired = performance.now()
  const finish = await planning.fire.run(
    { planId: backupPlanId, versionId: row?.id ?? '', ruleId, atMs: clock.now().getTime() },
    { tenant, clock, runtime: { backups } } as never,
  )
  await database.transaction(async (db) => finish?.(db, jobsIn(queue, db, 'backup', tenant), undefined as never))
  const planned = performance.now() - fired
  const among = `among ${number(points)} recovery points`
  record([
    { name: `first page of 1,000 ${among}`, statistic: 'p50', value: firstPage, unit: 'ms' },
    { name: `page of 1,000 in the middle ${among}`, statistic: 'p50', value: middlePage, unit: 'ms' },
    { name: `${number(deleted)} due points found and marked ${among}`, value: again - began, unit: 'ms' },
    { name: `nothing due ${among}`, value: nothingDueMs, unit: 'ms' },
    { name: `jobs of a plan made for ${number(resources)} resources`, value: planned, unit: 'ms' },
    { name: 'recovery point with its indexes', value: bytes / rows, unit: 'bytes' },
  ])
} finally {
  await app[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
}
