import pg from 'pg'
import { type BackupCalls, backupCalls, IamRoleArn, part } from './backup-calls.ts'
import { otherServices } from './backup-services.ts'
import { isRecent, isText, isWhole } from './fields.ts'
import { type Caller, statementsOf, until } from './statements.ts'

const databases = '/subscriptions/mine/resourceGroups/shop/providers/Vendor.Sql/servers/eu/databases'
const orders = `${databases}/orders`
const databaseType = 'Vendor.Sql/servers/databases'
const vaultName = 'daily'
const invalid = 'InvalidParameterValueException'
const notFound = 'ResourceNotFoundException'
const denied = 'InvalidRequestException'
const services = [
  ...(['backup', 'sql-databases', 'configuration-stores', 'job-scheduler', 'event-detection'] as const),
  ...(['face-recognition', 'language-authoring'] as const),
]

statementsOf('K resources', services, async (node) => {
  const calls = backupCalls(node)
  const sql = databaseCalls(node.caller('sql-databases'))
  await calls.vault(vaultName)
  await sql.create('orders', {})
  const filled = `create table lines(id int primary key, t text, j jsonb, b bytea);
    insert into lines select i, 'ü' || i, '{"a":1}', '\\x00ff' from generate_series(1, 500) i;
    create index on lines(t); create view v as select * from lines; create sequence s start 42; select nextval('s')`
  await sql.query('orders', filled)
  const job = await backupJobs(calls)
  await restores(calls, sql, job)
  await copies(calls, job)
  await holdsAndLocks(calls, job)
  await otherServices(calls, vaultName)
  await settings(calls)
  await continuous(calls, sql) // last, since it moves the clock
})

function databaseCalls(call: Caller) {
  const at = (name: string, action = '') => `${databases}/${name}${action}?api-version=2017-10-01-preview`
  const connectionString = async (name: string) =>
    (await call('POST', at(name, '/listCredentials'))).json?.connectionString as string | undefined
  return {
    async create(name: string, more: object) {
      await call('PUT', at(name), { location: 'westeurope', sku: { name: 'S0' }, ...more })
      return until(() => connectionString(name))
    },
    async remove(name: string) {
      await call('DELETE', at(name))
      return until(async () => (await call('GET', at(name))).status === 404)
    },
    /** Returns the first field of the last row as text. */
    async query(name: string, text: string): Promise<string> {
      const client = new pg.Client({ connectionString: await connectionString(name) })
      client.on('error', () => {})
      try {
        await client.connect()
        const results = [await client.query(text)].flat()
        return String(Object.values(results.at(-1)?.rows[0] ?? {})[0])
      } catch (error) {
        return `refused: ${(error as Error).message}`
      } finally {
        await client.end().catch(() => {})
      }
    },
  }
}
type DatabaseCalls = ReturnType<typeof databaseCalls>
type Job = Readonly<Record<string, string>> & { readonly RecoveryPointArn: string; readonly ResourceArn: string }

async function backupJobs({
  alike,
  backUp,
  call,
  ended,
  fields,
  holds,
  pointAt,
  refused,
  start,
  unbuilt,
}: BackupCalls) {
  const windows = { StartWindowMinutes: 60, CompleteWindowMinutes: 120, IdempotencyToken: 'once' }
  const body = { ...windows, RecoveryPointTags: { a: 'b' }, Lifecycle: { DeleteAfterDays: 91 } }
  const started = await start(vaultName, orders, body)
  const { BackupJobId, RecoveryPointArn } = started.json
  fields('a backup job that is started', started.json, {
    ...{ BackupJobId: isText, RecoveryPointArn: isText, CreationDate: isRecent, IsParent: false },
  })
  const retried = await start(vaultName, orders, body)
  alike('a retry with its IdempotencyToken is answered alike', started, retried)
  const job = await ended(`/backup-jobs/${BackupJobId}`)
  const vault = (await call('GET', `/backup-vaults/${vaultName}`)).json
  const of = { BackupVaultName: vaultName, BackupVaultArn: vault.BackupVaultArn, RecoveryPointArn, IamRoleArn }
  const isOrders = (arn: unknown) => String(arn).endsWith(`:${orders.slice(1)}`)
  const shown = { ...of, ResourceArn: isOrders, ResourceType: databaseType, ResourceName: 'orders' }
  const minutes = (name: string, count: number) => (value: number) => Math.round((value - job[name]) / 60) === count
  fields('a backup job', job, {
    ...{ ...shown, AccountId: vault.BackupVaultArn.split(':')[4], BackupJobId, State: 'COMPLETED' },
    ...{ CreationDate: isRecent, CompletionDate: isRecent, InitiationDate: isRecent, PercentDone: '100.0' },
    ...{ BackupSizeInBytes: isWhole, BytesTransferred: isWhole, BackupOptions: {}, IsParent: false },
    ...{ NumberOfChildJobs: 0, ChildJobsInState: {}, MessageCategory: 'SUCCESS' },
    ...{ StartBy: minutes('CreationDate', 60), ExpectedCompletionDate: minutes('CreationDate', 120) },
  })
  const point = (await call('GET', pointAt(vaultName, RecoveryPointArn))).json
  const deletion = (value: { DeleteAt: number }) => Math.round((value.DeleteAt - point.CreationDate) / 86_400) === 91
  fields('a recovery point', point, {
    ...{ ...shown, Status: 'COMPLETED', CreationDate: isRecent, CompletionDate: isRecent, BackupSizeInBytes: isWhole },
    ...{ Lifecycle: { DeleteAfterDays: 91 }, CalculatedLifecycle: deletion, IsEncrypted: true, StorageClass: 'WARM' },
  })
  const { json: tagged } = await call('GET', `/tags/${part(RecoveryPointArn)}/`)
  holds('a recovery point has RecoveryPointTags', tagged.Tags?.a === 'b', tagged)
  const counted = (await call('GET', `/backup-vaults/${vaultName}`)).json.NumberOfRecoveryPoints
  holds('a vault counts its recovery points', counted === 1, counted)

  refused('a resource that is missing is not found', notFound, await start(vaultName, `${orders}-none`))
  refused('a vault that is missing is not found', notFound, await start('none', orders))
  const options = await start(vaultName, orders, { BackupOptions: { WindowsVSS: 'enabled' } })
  unbuilt('BackupOptions is not supported', options, 'BackupOptions')
  for (const filter of ['parentJobId', 'messageCategory'])
    unbuilt(`${filter} of a list of jobs is not supported`, await call('GET', `/backup-jobs/?${filter}=x`), filter)
  refused('a job that has ended is not stopped', denied, await call('POST', `/backup-jobs/${BackupJobId}`))
  const path = await backUp(vaultName, orders.slice(1).toUpperCase())
  holds('a resource is named by its path in any case, too', path.ResourceArn === job.ResourceArn, path)
  const listed = async (query: string) =>
    (await call('GET', `/backup-jobs/?${query}`)).json.BackupJobs.map(({ State }: { State: string }) => State).join()
  const past = part('2020-01-01T00:00:00Z')
  for (const [query, expected] of [
    [`state=COMPLETED&resourceArn=${part(job.ResourceArn)}`, 'COMPLETED,COMPLETED'],
    ['state=FAILED', ''],
    [`resourceType=${part(databaseType)}&maxResults=1`, 'COMPLETED'],
    [`backupVaultName=${vaultName}`, 'COMPLETED,COMPLETED'],
    [`createdBefore=${past}`, ''],
    [`completeAfter=${past}`, 'COMPLETED,COMPLETED'],
    ['accountId=999999999999', ''],
    ['accountId=*', 'COMPLETED,COMPLETED'],
  ])
    holds(`jobs are listed by ${query}`, (await listed(query ?? '')) === expected, await listed(query ?? ''))
  return job as Job
}

async function restores({ call, fields, holds, pointAt, refused, restore }: BackupCalls, sql: DatabaseCalls, job: Job) {
  const { RecoveryPointArn: arn, ResourceArn } = job
  const resourceAt = `/resources/${part(ResourceArn)}`
  const named = { ResourceArn, ResourceType: databaseType, ResourceName: 'orders', LastBackupTime: isRecent }
  const { json: before } = await call('GET', resourceAt)
  fields('a protected resource', before, { ...named, LastBackupVaultArn: isText, LastRecoveryPointArn: isText })
  const { json } = await call('GET', `${pointAt(vaultName, arn)}/restore-metadata`)
  const metadata = json.RestoreMetadata
  holds('a recovery point has the metadata of its restore', metadata?.databaseName === 'orders', metadata)
  const created = await restore(arn, { databaseName: 'orders-2' })
  fields('a restore job', created, {
    ...{ RestoreJobId: isText, RecoveryPointArn: arn, AccountId: ResourceArn.split(':')[4], Status: 'COMPLETED' },
    ...{ CreationDate: isRecent, CompletionDate: isRecent, PercentDone: '100.00%', ResourceType: databaseType },
    ...{ IamRoleArn, CreatedResourceArn: ResourceArn.replace(/orders$/, 'orders-2') },
  })
  const seen = await sql.query(
    'orders-2',
    `select concat_ws(' ', count(*), max(t), (select count(*) from pg_indexes where tablename = 'lines'),
      (select count(*) from v), nextval('s'), (select encode(b, 'hex') from lines limit 1)) from lines`,
  )
  holds('a restored database has its rows, indexes, views and sequences', seen === '500 ü99 2 500 43 00ff', seen)
  const over = await restore(arn)
  const isSaid = over.Status === 'FAILED' && over.StatusMessage?.includes('orders')
  holds('nothing that exists is restored over, and the job says so', isSaid, over)
  const other = await call('PUT', '/restore-jobs', { RecoveryPointArn: arn, Metadata: {}, ResourceType: 'EC2' })
  refused('a restore is of the type of its recovery point', denied, other)
  const { json: after } = await call('GET', resourceAt)
  fields('a protected resource that was restored', after, {
    ...{ ...named, LatestRestoreExecutionTimeMinutes: isWhole, LatestRestoreJobCreationDate: isRecent },
    LatestRestoreRecoveryPointCreationDate: isRecent,
  })
  const point = (await call('GET', pointAt(vaultName, arn))).json
  holds('a recovery point has LastRestoreTime', isRecent(point.LastRestoreTime), point)
  const { RestoreJobs } = (await call('GET', `${resourceAt}/restore-jobs/?status=COMPLETED`)).json
  holds('the restore jobs of a resource are listed', RestoreJobs.length === 1, RestoreJobs)
  const { Results } = (await call('GET', `/backup-vaults/${vaultName}/resources/`)).json
  holds('the resources of a vault are listed', Results.length === 1 && Results[0].ResourceArn === ResourceArn, Results)
  const points = (await call('GET', `${resourceAt}/recovery-points/`)).json.RecoveryPoints
  holds('the recovery points of a resource are listed', points.length === 2, points)
  const all = await call('DELETE', `/backup-vaults/${vaultName}`)
  refused('a vault that is not empty is not deleted', denied, all)
}

async function copies({ call, copy, fields, holds, refused, restore, start, vault, ...calls }: BackupCalls, job: Job) {
  const { RecoveryPointArn: arn, ResourceArn } = job
  const second = (await vault('second')).json.BackupVaultArn
  const own = (await call('GET', `/backup-vaults/${vaultName}`)).json.BackupVaultArn
  const copied = await copy(arn, vaultName, second)
  fields('a copy job', copied, {
    ...{ AccountId: ResourceArn.split(':')[4], CopyJobId: isText, SourceBackupVaultArn: own, IamRoleArn },
    ...{ SourceRecoveryPointArn: arn, DestinationBackupVaultArn: second, DestinationRecoveryPointArn: isText },
    ...{ ResourceArn, ResourceType: databaseType, ResourceName: 'orders', State: 'COMPLETED', IsParent: false },
    ...{ CreationDate: isRecent, CompletionDate: isRecent, BackupSizeInBytes: isWhole, NumberOfChildJobs: 0 },
  })
  const copyAt = calls.pointAt('second', copied.DestinationRecoveryPointArn)
  const { json: point } = await call('GET', copyAt)
  holds('a copy has SourceBackupVaultArn', point.SourceBackupVaultArn === own, point)
  const restored = await restore(copied.DestinationRecoveryPointArn, { databaseName: 'orders-3' })
  holds('a copy is restored', restored.Status === 'COMPLETED', restored)
  const start2 = (DestinationBackupVaultArn: string) =>
    call('PUT', '/copy-jobs', {
      ...{ RecoveryPointArn: arn, SourceBackupVaultName: vaultName, DestinationBackupVaultArn, IamRoleArn },
    })
  refused('a copy goes to another vault', denied, await start2(own))
  const foreignArn = own.replace(/:\d{12}:/, ':999999999999:')
  refused('a copy goes to no other account', denied, await start2(foreignArn))
  refused('a copy goes to a vault that exists', notFound, await start2(second.replace('second', 'third')))

  const limits = { MinRetentionDays: 5, MaxRetentionDays: 30 }
  const { json: air } = await call('PUT', '/logically-air-gapped-backup-vaults/air', limits)
  const Lifecycle = { DeleteAfterDays: 7 }
  const gapped = await copy(arn, vaultName, air.BackupVaultArn, { Lifecycle })
  holds('a recovery point is copied to an air-gapped vault', gapped.State === 'COMPLETED', gapped)
  const gappedAt = calls.pointAt('air', gapped.DestinationRecoveryPointArn)
  refused('nothing of an air-gapped vault is deleted', denied, await call('DELETE', gappedAt))
  refused('a filled air-gapped vault is not deleted', denied, await call('DELETE', '/backup-vaults/air'))
  refused('only copies reach an air-gapped vault', denied, await start('air', orders))
  const short = await copy(arn, vaultName, air.BackupVaultArn, { Lifecycle: { DeleteAfterDays: 2 } })
  holds('a copy is kept for MinRetentionDays at least', short.State.includes('at least 5'), short)
  const { CopyJobs } = (await call('GET', `/copy-jobs/?destinationVaultArn=${part(second)}`)).json
  holds('copy jobs are listed by their vault', CopyJobs.length === 1, CopyJobs)
}

async function holdsAndLocks(calls: BackupCalls, job: Job) {
  const { backUp, call, holds, pointAt, refused, start, succeeds, vault } = calls
  const at = pointAt(vaultName, job.RecoveryPointArn)
  const RecoveryPointSelection = { VaultNames: [vaultName], DateRange: { FromDate: 0, ToDate: 4_000_000_000 } }
  const { json: hold } = await call('POST', '/legal-holds/', { Title: 't', Description: 'd', RecoveryPointSelection })
  refused('a legal hold keeps a recovery point from being deleted', denied, await call('DELETE', at))
  const { RecoveryPoints } = (await call('GET', `/legal-holds/${hold.LegalHoldId}/recovery-points`)).json
  holds('the recovery points of a legal hold are listed', RecoveryPoints.length === 2, RecoveryPoints)
  await call('DELETE', `/legal-holds/${hold.LegalHoldId}?cancelDescription=over`)

  const lifecycle = { MoveToColdStorageAfterDays: 1, DeleteAfterDays: 92 }
  const changed = await call('POST', at, { Lifecycle: lifecycle })
  const { Lifecycle, CalculatedLifecycle } = changed.json
  const isChanged = Lifecycle.DeleteAfterDays === 92 && CalculatedLifecycle.MoveToColdStorageAt
  holds('the life cycle of a recovery point is changed', isChanged, changed.text)
  const short = { Lifecycle: { MoveToColdStorageAfterDays: 30, DeleteAfterDays: 31 } }
  refused('what is cold stays so for 90 days', invalid, await call('POST', at, short))
  refused('a snapshot is not disassociated', denied, await call('POST', `${at}/disassociate`))
  succeeds('a recovery point is deleted once no hold keeps it', await call('DELETE', at))
  const isGone = await until(async () => (await call('GET', at)).status === 404)
  holds('a deleted recovery point is gone', isGone)

  await vault('locked')
  await call('PUT', '/backup-vaults/locked/vault-lock', { MinRetentionDays: 5, MaxRetentionDays: 50 })
  for (const days of [2, 51])
    refused(
      `a lock of 5 to 50 days refuses ${days}`,
      denied,
      await start('locked', orders, { Lifecycle: { DeleteAfterDays: days } }),
    )
  const locked = await backUp('locked', orders, { Lifecycle: { DeleteAfterDays: 6 } })
  const lockedAt = pointAt('locked', locked.RecoveryPointArn)
  refused('a recovery point of a locked vault is not deleted', denied, await call('DELETE', lockedAt))
  const longer = await call('POST', lockedAt, { Lifecycle: { DeleteAfterDays: 7 } })
  refused('its life cycle is not changed', denied, longer)
}

async function settings({ call, holds, refused }: BackupCalls) {
  const { ResourceTypes: types } = (await call('GET', '/supported-resource-types')).json
  holds('the types that are backed up are listed', types.includes(databaseType) && types.length >= 10, types)
  const read = async () => (await call('GET', '/account-settings')).json.ResourceTypeOptInPreference
  holds('all of them are opted in', Object.values(await read()).every(Boolean), await read())
  await call('PUT', '/account-settings', { ResourceTypeOptInPreference: { [databaseType]: false } })
  holds('a type is opted out', (await read())[databaseType] === false, await read())
  await call('PUT', '/account-settings', { ResourceTypeOptInPreference: { [databaseType]: true } })
  const odd = await call('PUT', '/account-settings', { ResourceTypeOptInPreference: { EC2: true } })
  refused('a type that is not backed up is refused', invalid, odd)
  const { BackupJobSummaries } = (
    await call('GET', `/audit/backup-job-summaries?State=COMPLETED&ResourceType=${part(databaseType)}`)
  ).json
  const own = BackupJobSummaries.filter(({ ResourceType }: { ResourceType: string }) => ResourceType === databaseType)
  const counted = own.reduce((sum: number, { Count }: { Count: number }) => sum + Count, 0)
  holds('jobs are counted by type and state', counted === 3, BackupJobSummaries)
}

async function continuous(calls: BackupCalls, sql: DatabaseCalls) {
  const { call, fields, holds, instance, pointAt, refused, restore, succeeds } = calls
  await sql.create('live', { tags: { keep: 'always' } })
  await sql.query('live', 'create table ticks(i int)')
  const ruleOf = (DeleteAfterDays: number) => ({
    ...{ RuleName: 'always', TargetBackupVaultName: vaultName, ScheduleExpression: 'rate(1 hour)' },
    ...{ EnableContinuousBackup: true, Lifecycle: { DeleteAfterDays } },
  })
  const planOf = (days: number) =>
    call('PUT', '/backup/plans/', { BackupPlan: { BackupPlanName: 'pitr', Rules: [ruleOf(days)] } })
  refused('a continuous backup is kept for at most 35 days', invalid, await planOf(36))
  const { json: plan } = await planOf(35)
  const ListOfTags = [{ ConditionType: 'STRINGEQUALS', ConditionKey: 'keep', ConditionValue: 'always' }]
  await call('PUT', `/backup/plans/${plan.BackupPlanId}/selections/`, {
    BackupSelection: { SelectionName: 's', IamRoleArn, ListOfTags },
  })
  await instance.app.clock.advance('61m')
  const listAt = `/backup-vaults/${vaultName}/recovery-points/?resourceArn=${part(`${databases}/live`)}`
  const point = await until(async () => (await call('GET', listAt)).json.RecoveryPoints[0])
  fields('CreatedBy of a continuous recovery point', point?.CreatedBy, {
    ...{ BackupPlanId: plan.BackupPlanId, BackupPlanArn: plan.BackupPlanArn, BackupPlanVersion: plan.VersionId },
    BackupRuleId: isText,
  })
  const at = pointAt(vaultName, point.RecoveryPointArn)
  const latest = async () => {
    const { json } = await call('GET', `${at}/restore-metadata`)
    return new Date(json?.RestoreMetadata?.LatestRestorableTime ?? 0)
  }
  // Time on the SQL host's clock, shortly after all earlier commits.
  const now = async () =>
    new Date(await sql.query('live', "select to_json(clock_timestamp()) #>> '{}' from pg_sleep(0.01)"))
  const reached = async (time: Date) => until(async () => (await latest()) >= time)
  await reached(await now())
  await sql.query('live', 'insert into ticks values (1)')
  const between = await now()
  await sql.query('live', 'select pg_sleep(1); delete from ticks; insert into ticks values (2)')
  await reached(await now())
  const then = { RestoreTime: between.toISOString(), databaseName: 'live-then' }
  const restored = await restore(point.RecoveryPointArn, then)
  const row = await sql.query('live-then', "select string_agg(i::text, ',') from ticks")
  holds('a database is restored to a point in time', restored.Status === 'COMPLETED' && row === '1', [restored, row])
  await sql.remove('live')
  const again = await restore(point.RecoveryPointArn, { ...then, databaseName: 'live-again' })
  const isBack = (await sql.query('live-again', 'select i from ticks')) === '1'
  holds('so is one that was deleted', again.Status === 'COMPLETED' && isBack, again)
  const early = {
    RecoveryPointArn: point.RecoveryPointArn,
    IamRoleArn,
    Metadata: { RestoreTime: '2020-01-01T00:00:00Z' },
  }
  refused('a time outside the range is refused', denied, await call('PUT', '/restore-jobs', early))
  const RecoveryPointSelection = { VaultNames: [vaultName] }
  const { json: hold } = await call('POST', '/legal-holds/', { Title: 't', Description: 'd', RecoveryPointSelection })
  refused('a legal hold blocks disassociating', denied, await call('POST', `${at}/disassociate`))
  await call('DELETE', `/legal-holds/${hold.LegalHoldId}?cancelDescription=over`)
  succeeds('a continuous recovery point is deleted', await call('DELETE', at))
  const isGone = await until(async () => (await call('GET', at)).status === 404)
  const late = await call('PUT', '/restore-jobs', { ...early, Metadata: then })
  holds('with it the continuous backup ends', isGone && late.status === 404, late.text)
}
