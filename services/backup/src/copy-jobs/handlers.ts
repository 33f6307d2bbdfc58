import { randomUUID } from 'node:crypto'
import { once } from '@icosa/dialects/signed/idempotency'
import { Failure, implement, type JobsOf, notFound, ok, type Resource, withPreparation } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { invalidRequest } from '../exceptions.ts'
import { checkedLifecycle } from '../recovery-points/lifecycle.ts'
import * as points from '../recovery-points/store.ts'
import { arnsOf } from '../resources/named.ts'
import { demandRestic, type ServiceRuntime } from '../runtime.ts'
import { copyTarget, nameIn, pointIdIn } from '../shapes/arns.ts'
import type { Lifecycle } from '../shapes/contract.ts'
import { seconds } from '../shapes/time.ts'
import { unsupported } from '../unsupported.ts'
import { lockVault } from '../vaults/handlers.ts'
import { checkRetention } from '../vaults/lock.ts'
import { isListed } from '../vaults/policy.ts'
import { copyJobs as contract } from './contract.ts'
import type { CopyPoint } from './jobs.ts'
import * as store from './store.ts'
import { toCopyJob } from './view.ts'

export interface CopyRequest {
  readonly vault: string
  readonly roleArn: string
  readonly lifecycle: Lifecycle
  readonly at: Date
}

type Db = Parameters<typeof store.insert>[0]
type Source = Pick<
  points.NewPoint,
  'tenant' | 'id' | 'vault' | 'resourceArn' | 'resourceType' | 'resourceName' | 'bytes' | 'createdBy'
>

/** Creates a copy job and enqueues it. */
export async function startCopy(db: Db, jobs: JobsOf, copyPoint: CopyPoint, point: Source, request: CopyRequest) {
  const {
    tenant,
    id: sourcePointId,
    vault: sourceVault,
    resourceArn,
    resourceType,
    resourceName,
    bytes,
    createdBy,
  } = point
  const { at: createdAt, ...rest } = request
  const id = randomUUID()
  const source = { tenant, sourcePointId, sourceVault, resourceArn, resourceType, resourceName, bytes, createdBy }
  await store.insert(db, { ...source, ...rest, id, pointId: randomUUID(), createdAt })
  await jobs.enqueue(copyPoint, { id }, { key: id })
  return id
}

export function copyJobs(region: string, copyPoint: CopyPoint): Resource<ServiceRuntime> {
  return implement<typeof contract, ServiceRuntime>(contract, {
    StartCopyJob: withPreparation(demandRestic, async ({ body }, context) => {
      const { db, caller, clock, jobs } = context
      const { IdempotencyToken: token, ...content } = body
      const owner = { tenant: caller.tenant, region }
      const from = await lockVault(context, body.SourceBackupVaultName, 'StartCopyJob')
      const point = await points.lock(db, caller.tenant, pointIdIn(owner, body.RecoveryPointArn))
      if (point?.vault !== from.name) notFound('recovery point', body.RecoveryPointArn)
      const to = copyTarget(owner, body.DestinationBackupVaultArn)
      if (to === from.name) refuse('A recovery point can only be copied to another vault.')
      const target = await lockVault(context, to, 'CopyIntoBackupVault')
      if (point.status !== 'COMPLETED') refuse(`The recovery point is ${point.status}: it cannot be copied.`)
      const lifecycle = checkedLifecycle(body.Lifecycle, 'body/Lifecycle')
      checkRetention(target, lifecycle)
      const job = await once(context, { operation: 'backup:StartCopyJob', token, content }, async () => {
        const at = clock.now()
        const request = { vault: to, roleArn: body.IamRoleArn, lifecycle, at }
        return { id: await startCopy(db, jobs, copyPoint, point, request), at: seconds(at) }
      })
      return ok({ CopyJobId: job.id, CreationDate: job.at, IsParent: false })
    }),

    async DescribeCopyJob({ params }, { db, caller }) {
      const row = (await store.find(db, caller.tenant, params.copyJobId)) ?? notFound('copy job', params.copyJobId)
      return ok({ CopyJob: toCopyJob(region, row) })
    },

    async ListCopyJobs({ query }, { db, caller, runtime }) {
      const { maxResults: limit, nextToken: token, accountId, parentJobId, messageCategory, ...rest } = query
      if (parentJobId !== undefined || messageCategory !== undefined)
        notSupported(unsupported.listFilters, parentJobId !== undefined ? 'parentJobId' : 'messageCategory')
      if (!isListed(accountId, caller)) return ok({ CopyJobs: [] })
      const { destinationVaultArn: arn, resourceArn, ...filter } = rest
      const owner = { tenant: caller.tenant, region }
      const vault = arn === undefined ? undefined : nameIn(owner, 'backup-vault', 'vault', arn)
      const resourceArns = resourceArn === undefined ? undefined : arnsOf(owner, runtime, resourceArn)
      const { items, next } = await store.list(db, owner.tenant, { ...filter, vault, resourceArns }, { limit, token })
      return ok({ CopyJobs: items.map((row) => toCopyJob(region, row)) }, { next })
    },
  })
}

function refuse(message: string): never {
  throw new Failure('invalid', message, { code: invalidRequest })
}
