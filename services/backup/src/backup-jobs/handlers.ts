import { randomUUID } from 'node:crypto'
import { once } from '@icosa/dialects/signed/idempotency'
import { arnOfResource } from '@icosa/dialects/signed/resource-name'
import { Failure, implement, notFound, ok, type Resource, withPreparation } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { invalidRequest } from '../exceptions.ts'
import { airGappedVault } from '../names.ts'
import { checkedLifecycle } from '../recovery-points/lifecycle.ts'
import { tidyUp } from '../recovery-points/maintenance.ts'
import { arnsOf, checkName } from '../resources/named.ts'
import { resourceOf } from '../resources/registry-store.ts'
import { demandRestic, type ServiceRuntime } from '../runtime.ts'
import { ownArn } from '../shapes/arns.ts'
import { checkedTags } from '../shapes/tags.ts'
import { seconds } from '../shapes/time.ts'
import { unsupported } from '../unsupported.ts'
import { lockVault } from '../vaults/handlers.ts'
import { checkRetention } from '../vaults/lock.ts'
import { isListed } from '../vaults/policy.ts'
import { endLater } from './continuous.ts'
import { backupJobs as contract } from './contract.ts'
import type { BackupJobs } from './jobs.ts'
import * as store from './store.ts'
import { toBackupJob } from './view.ts'

const minuteMs = 60_000
/** The original's defaults: eight hours to start, a week to complete. */
export const defaultStartMinutes = 480
export const defaultCompleteMinutes = 10_080

export function backupJobs(region: string, { backUp }: BackupJobs): Resource<ServiceRuntime> {
  return implement<typeof contract, ServiceRuntime>(contract, {
    StartBackupJob: withPreparation(demandRestic, async ({ body }, context) => {
      const { IdempotencyToken: token, ...content } = body
      const { db, caller, clock, runtime, jobs } = context
      const owner = { tenant: caller.tenant, region }
      if (Object.keys(body.BackupOptions ?? {}).length > 0) notSupported(unsupported.backupOptions, 'BackupOptions')
      const vault = await lockVault(context, body.BackupVaultName, 'StartBackupJob')
      if (vault.kind === airGappedVault)
        throw new Failure('invalid', `The vault '${vault.name}' is air-gapped: copy recovery points to it instead.`, {
          code: invalidRequest,
        })
      const lifecycle = checkedLifecycle(body.Lifecycle, 'body/Lifecycle')
      checkRetention(vault, lifecycle)
      const tags = checkedTags(body.RecoveryPointTags, 'body/RecoveryPointTags')
      checkName(body.ResourceArn, 'body/ResourceArn')
      const resource = (await resourceOf(db, owner, body.ResourceArn)) ?? notFound('resource', body.ResourceArn)
      if (!runtime.backups.has(resource.type))
        throw new Failure('invalid', `Resources of the type ${resource.type} cannot be backed up.`, {
          code: invalidRequest,
        })
      const job = await once(context, { operation: 'backup:StartBackupJob', token, content }, async () => {
        const now = clock.now()
        const { StartWindowMinutes = defaultStartMinutes, CompleteWindowMinutes = defaultCompleteMinutes } = body
        const row: store.NewJob = {
          tenant: caller.tenant,
          id: randomUUID(),
          pointId: randomUUID(),
          vault: vault.name,
          resourceId: resource.id,
          resourceArn: arnOfResource(owner, resource),
          resourceType: resource.type,
          resourceName: resource.name,
          roleArn: body.IamRoleArn,
          createdBy: null,
          lifecycle,
          tags,
          options: {},
          copies: [],
          continuousUntil: null,
          createdAt: now,
          startBy: new Date(now.getTime() + StartWindowMinutes * minuteMs),
          completeBy: new Date(now.getTime() + CompleteWindowMinutes * minuteMs),
        }
        await store.insertAll(db, [row])
        await jobs.enqueue(backUp, { id: row.id }, { key: row.id })
        return { id: row.id, pointId: row.pointId, at: seconds(now) }
      })
      return ok({
        BackupJobId: job.id,
        RecoveryPointArn: ownArn(owner, 'recovery-point', job.pointId),
        CreationDate: job.at,
        IsParent: false,
      })
    }),

    async DescribeBackupJob({ params }, { db, caller }) {
      const row =
        (await store.find(db, caller.tenant, params.backupJobId)) ?? notFound('backup job', params.backupJobId)
      return ok({ ...toBackupJob(region, row), NumberOfChildJobs: 0, ChildJobsInState: {} })
    },

    async StopBackupJob({ params }, { db, caller, clock, jobs }) {
      const { tenant } = caller
      const row = (await store.lock(db, tenant, params.backupJobId)) ?? notFound('backup job', params.backupJobId)
      if (row.completedAt !== null)
        throw new Failure('invalid', `The backup job has ended: it is ${row.state}.`, { code: invalidRequest })
      await jobs.cancel(backUp, row.id)
      await store.end(db, tenant, row.id, { state: 'ABORTED', message: 'Stopped by a caller.', at: clock.now() })
      await endLater(jobs, row)
      if (row.state === 'RUNNING') await tidyUp(jobs, row.vault)
      return ok({})
    },

    async ListBackupJobs({ query }, { db, caller, runtime }) {
      const { tenant } = caller
      const { maxResults: limit, nextToken: token, accountId, parentJobId, messageCategory, ...rest } = query
      if (parentJobId !== undefined || messageCategory !== undefined)
        notSupported(unsupported.listFilters, parentJobId !== undefined ? 'parentJobId' : 'messageCategory')
      if (!isListed(accountId, caller)) return ok({ BackupJobs: [] })
      const { resourceArn, ...filter } = rest
      const resourceArns = resourceArn === undefined ? undefined : arnsOf({ tenant, region }, runtime, resourceArn)
      const { items, next } = await store.list(db, tenant, { ...filter, resourceArns }, { limit, token })
      return ok({ BackupJobs: items.map((row) => toBackupJob(region, row)) }, { next })
    },
  })
}
