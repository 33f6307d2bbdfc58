import { randomUUID } from 'node:crypto'
import { once } from '@icosa/dialects/signed/idempotency'
import {
  Failure,
  implement,
  noContent,
  notFound,
  ok,
  type ReadingDb,
  type Resource,
  withPreparation,
} from '@icosa/kernel'
import { invalidRequest } from '../exceptions.ts'
import { timeIn, windowOf, withoutTimes } from '../recovery-points/continuous.ts'
import * as points from '../recovery-points/store.ts'
import { ownArnsOf } from '../resources/named.ts'
import { demandRestic, type ServiceRuntime } from '../runtime.ts'
import { pointIdIn } from '../shapes/arns.ts'
import { demandAllowed, isListed } from '../vaults/policy.ts'
import * as vaults from '../vaults/store.ts'
import { restoreJobs as contract } from './contract.ts'
import type { RestoreJobs } from './jobs.ts'
import * as store from './store.ts'
import { toRestoreJob } from './view.ts'

export function restoreJobs(region: string, { restore, endTrial }: RestoreJobs): Resource<ServiceRuntime> {
  return implement<typeof contract, ServiceRuntime>(contract, {
    StartRestoreJob: withPreparation(demandRestic, async ({ body }, context) => {
      const { db, caller, clock, runtime, jobs } = context
      const { tenant } = caller
      const { IdempotencyToken: token, ...content } = body
      const pointId = pointIdIn({ tenant, region }, body.RecoveryPointArn)
      const point = (await points.lock(db, tenant, pointId)) ?? notFound('recovery point', body.RecoveryPointArn)
      const vault = (await vaults.find(db, tenant, point.vault)) ?? notFound('vault', point.vault)
      demandAllowed(vault, caller, 'StartRestoreJob')
      if (point.status !== 'COMPLETED') refuse(`The recovery point is ${point.status}: it cannot be restored.`)
      if (body.ResourceType !== undefined && body.ResourceType !== point.resourceType)
        refuse(`The recovery point is of the type ${point.resourceType}.`)
      if (!runtime.backups.has(point.resourceType))
        refuse(`Resources of the type ${point.resourceType} cannot be restored here.`)
      const overrides = { ...body.Metadata }
      const time = timeIn(point, overrides, await windowOf(point, runtime, db, clock.now()))
      const metadata = { ...point.metadata, ...(point.continuous ? withoutTimes(overrides) : overrides) }
      const id = await once(context, { operation: 'backup:StartRestoreJob', token, content }, async () => {
        const id = randomUUID()
        await store.insert(db, {
          ...store.ofPoint(point),
          id,
          roleArn: body.IamRoleArn ?? point.roleArn,
          metadata: { ...metadata, ...(time && { RestoreTime: time.toISOString() }) },
          copyTags: body.CopySourceTagsToRestoredResource ?? false,
          testingPlan: null,
          validationHours: null,
          createdAt: clock.now(),
        })
        await jobs.enqueue(restore, { id }, { key: id })
        return id
      })
      return ok({ RestoreJobId: id })
    }),

    async DescribeRestoreJob({ params }, { db, caller }) {
      return ok(toRestoreJob(region, await getJob(db, caller.tenant, params.restoreJobId)))
    },

    async GetRestoreJobMetadata({ params }, { db, caller }) {
      const { id, metadata } = await getJob(db, caller.tenant, params.restoreJobId)
      return ok({ RestoreJobId: id, Metadata: { ...metadata } })
    },

    async PutRestoreValidationResult({ params, body }, { db, caller, jobs }) {
      const row = await getJob(db, caller.tenant, params.restoreJobId)
      if (row.testingPlan === null) refuse('The restore job does not belong to a restore testing plan.')
      if (row.status !== 'COMPLETED') refuse(`The restore job is ${row.status}: there is nothing to validate.`)
      const { ValidationStatus, ValidationStatusMessage = null } = body
      await store.setValidation(db, caller.tenant, row.id, ValidationStatus, ValidationStatusMessage)
      if (ValidationStatus !== 'VALIDATING' && row.deletionStatus === null) {
        await store.setDeletion(db, caller.tenant, row.id, 'DELETING')
        await jobs.enqueue(endTrial, { id: row.id })
      }
      return noContent()
    },

    async ListRestoreJobs({ query }, { db, caller }) {
      const { maxResults: limit, nextToken: token, accountId, restoreTestingPlanArn: testingPlan, ...filter } = query
      if (!isListed(accountId, caller)) return ok({ RestoreJobs: [] })
      const { items, next } = await store.list(db, caller.tenant, { ...filter, testingPlan }, { limit, token })
      return ok({ RestoreJobs: items.map((row) => toRestoreJob(region, row)) }, { next })
    },

    async ListRestoreJobsByProtectedResource({ params, query }, { db, caller, runtime }) {
      const owner = { tenant: caller.tenant, region }
      const { maxResults: limit, nextToken: token, status } = query
      const filter = {
        resourceArns: ownArnsOf(owner, runtime, params.resourceArn),
        status,
        pointAfter: query.recoveryPointCreationDateAfter,
        pointBefore: query.recoveryPointCreationDateBefore,
      }
      const { items, next } = await store.list(db, caller.tenant, filter, { limit, token })
      return ok({ RestoreJobs: items.map((row) => toRestoreJob(region, row)) }, { next })
    },
  })
}

async function getJob(db: ReadingDb, tenant: string, id: string): Promise<store.RestoreJobRow> {
  return (await store.find(db, tenant, id)) ?? notFound('restore job', id)
}

function refuse(message: string): never {
  throw new Failure('invalid', message, { code: invalidRequest })
}
