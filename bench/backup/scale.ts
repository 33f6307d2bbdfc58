/**
 * What many recovery points and a large plan cost: pages of a list, the search for what is due, and the making of the jobs of
 * one run. BENCH_POINTS says how many points there are (1,000,000), BENCH_RESOURCES how much a plan selects (10,000).
 * `scripts/postgres run node bench/backup/scale.ts`
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { plans, recoveryPoints, selections, vaults } from '@icosa/backup/contract'
import { client } from '@icosa/client'
import { jobsIn, resourcesIn } from '@icosa/kernel'
import { credentialsFor, startTestApp } from '@icosa/testing'
import { jobsOf } from '../../services/backup/src/jobs.ts'
import * as planStore from '../../services/backup/src/plans/store.ts'
import { expire } from '../../services/backup/src/recovery-points/maintenance-store.ts'
import { testService } from '../../services/backup/src/testing/service.ts'
import { fillPoints, fillResources, sizeOfPoints } from './scale-store.ts'

const points = Number(process.env.BENCH_POINTS ?? 1_000_000)
const resources = Number(process.env.BENCH_RESOURCES ?? 10_000)
const due = Math.min(10_000, points / 10)
const tenant = 'acme'
const backupVaultName = 'many'
const number = (value: number) => Math.round(value).toLocaleString('en')
const load = () => `load ${loadavg()[0]?.toFixed(1)}`

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
  console.log(`${number(rows)} recovery points, ${number(bytes / rows)} bytes each with their indexes; ${load()}`)

  const list = async (query: { createdBefore?: string; nextToken?: string }) => {
    const began = performance.now()
    const { body } = await calls.ListRecoveryPointsByBackupVault({
      params: { backupVaultName },
      query: { maxResults: 1_000, ...query },
    })
    return { ms: performance.now() - began, count: body.RecoveryPoints.length }
  }
  const middle = async (query: { createdBefore?: string }) => {
    const all = await Promise.all(Array.from({ length: 1 }, () => list(query)))
    for (let n = 0; n < 20; n++) all.push(await list(query))
    const sorted = all.map(({ ms }) => ms).sort((a, b) => a - b)
    return `${sorted[Math.floor(sorted.length / 2)]?.toFixed(1)} ms for ${all[0]?.count}`
  }
  const ago = (hours: number) => new Date(clock.now().getTime() - hours * 3_600_000).toISOString()
  console.log(
    `a page of the list: the first ${await middle({})}, one in the middle ${await middle({ createdBefore: ago(points / 2 / 3_600) })}; ${load()}`,
  )

  const began = performance.now()
  let gone = 0
  for (let count = 1; count > 0; gone += count)
    count = (await database.transaction((db) => expire(db, clock.now(), 1_000))).length
  const again = performance.now()
  await database.transaction((db) => expire(db, clock.now(), 1_000))
  console.log(
    `life cycle: ${number(gone)} due among ${number(points)} in ${number(again - began)} ms, nothing due in ${(performance.now() - again).toFixed(1)} ms; ${load()}`,
  )

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
  console.log(
    `a plan over ${number(resources)} resources: selected, and all jobs made, in ${number(performance.now() - fired)} ms; ${load()}`,
  )
} finally {
  await app[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
}
