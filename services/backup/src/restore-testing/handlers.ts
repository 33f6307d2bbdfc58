import { randomUUID } from 'node:crypto'
import { type Context, Failure, implement, invalid, notFound, ok, type ReadingDb, type Resource } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { invalidRequest } from '../exceptions.ts'
import { nextTime } from '../plans/schedule.ts'
import * as points from '../recovery-points/store.ts'
import { arnsOf, checkOwnName } from '../resources/named.ts'
import { resourceOf } from '../resources/registry-store.ts'
import * as protectedResources from '../resources/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { nameIn, type Owner, pointIdIn } from '../shapes/arns.ts'
import { checkedTags } from '../shapes/tags.ts'
import { seconds, timed } from '../shapes/time.ts'
import { unsupported } from '../unsupported.ts'
import { demandOwnAccount } from '../vaults/policy.ts'
import { restoreTesting as contract, type RestoreTestingPlan, type RestoreTestingSelection } from './contract.ts'
import { scheduleOf, type TestingJobs, testingArn } from './jobs.ts'
import * as store from './store.ts'

export function restoreTesting(region: string, testing: TestingJobs): Resource<ServiceRuntime> {
  const planResult = (row: store.TestingPlanRow) => ({
    CreationTime: seconds(row.createdAt),
    RestoreTestingPlanArn: testingArn(region, row),
    RestoreTestingPlanName: row.name,
  })
  const toPlan = (row: store.TestingPlanRow) => {
    const { RecoveryPointSelection: _, ...document } = row.document
    return {
      ...document,
      ...planResult(row),
      ...timed('LastExecutionTime', row.lastRunAt),
      ...timed('LastUpdateTime', row.updatedAt),
    }
  }

  function checkPlan(tenant: string, document: RestoreTestingPlan): void {
    nextTime(scheduleOf({ document }), new Date(0))
    const { IncludeVaults = [], ExcludeVaults = [], RecoveryPointTypes = [] } = document.RecoveryPointSelection
    if (RecoveryPointTypes.includes('CONTINUOUS')) notSupported(unsupported.continuousTests, 'CONTINUOUS')
    for (const arn of [...IncludeVaults, ...ExcludeVaults].filter((arn) => arn !== '*'))
      nameIn({ tenant, region }, 'backup-vault', 'vault', arn)
  }

  return implement<typeof contract, ServiceRuntime>(contract, {
    async CreateRestoreTestingPlan({ body }, { db, caller, clock, jobs }) {
      const { tenant } = caller
      const { RestoreTestingPlan: document, CreatorRequestId: creatorRequestId = null } = body
      checkPlan(tenant, document)
      const tags = checkedTags(body.Tags, 'body/Tags')
      const { RestoreTestingPlanName: name } = document
      const ids = { tenant, name, id: randomUUID(), versionId: randomUUID() }
      const at = clock.now()
      const row = await store.insert(db, { ...ids, document, creatorRequestId, tags, createdAt: at })
      if (row) await testing.schedule(jobs, row, at)
      return ok(planResult(row ?? existingForRetry(await getPlan(db, tenant, name), creatorRequestId)))
    },

    async GetRestoreTestingPlan({ params }, { db, caller }) {
      const row = await getPlan(db, caller.tenant, params.RestoreTestingPlanName)
      const { RecoveryPointSelection } = row.document
      const { creatorRequestId: request } = row
      const more = request === null ? {} : { CreatorRequestId: request }
      return ok({ RestoreTestingPlan: { ...toPlan(row), RecoveryPointSelection, ...more } })
    },

    async UpdateRestoreTestingPlan({ params, body }, { db, caller, clock, jobs }) {
      const name = params.RestoreTestingPlanName
      const row = (await store.lock(db, caller.tenant, name)) ?? notFound('restore testing plan', name)
      const document = { ...row.document, ...body.RestoreTestingPlan }
      checkPlan(caller.tenant, document)
      const at = clock.now()
      const updated = await store.update(db, { ...row, versionId: randomUUID(), document }, at)
      await testing.schedule(jobs, updated, at)
      return ok({ ...planResult(updated), UpdateTime: seconds(at) })
    },

    async DeleteRestoreTestingPlan({ params }, { db, caller }) {
      const name = params.RestoreTestingPlanName
      const row = await store.lock(db, caller.tenant, name)
      // The original declares no ResourceNotFoundException here.
      if (!row)
        throw new Failure('invalid', `The restore testing plan '${name}' was not found.`, { code: invalidRequest })
      if ((await store.selectionsOf(db, caller.tenant, name)).length > 0)
        throw new Failure('invalid', `The plan '${name}' has selections: delete them first.`, { code: invalidRequest })
      await store.remove(db, row)
      return ok({})
    },

    async ListRestoreTestingPlans({ query }, { db, caller }) {
      const { MaxResults: limit, NextToken: token } = query
      const { items, next } = await store.list(db, caller.tenant, { limit, token })
      return ok({ RestoreTestingPlans: items.map(toPlan) }, { next })
    },

    async CreateRestoreTestingSelection({ params, body }, context) {
      const { db, caller, clock } = context
      const { tenant } = caller
      const plan = await lockedPlan(context, params.RestoreTestingPlanName)
      const { RestoreTestingSelection: document, CreatorRequestId: creatorRequestId = null } = body
      await checkSelection(document, context, { tenant: caller.tenant, region })
      const name = document.RestoreTestingSelectionName
      const selection = { tenant, plan: plan.name, name, document, creatorRequestId, createdAt: clock.now() }
      const row =
        (await store.insertSelection(db, selection)) ??
        existingForRetry(await getSelection(db, tenant, plan.name, name), creatorRequestId)
      return ok(selectionResult(plan, row))
    },

    async GetRestoreTestingSelection({ params }, { db, caller }) {
      const { RestoreTestingPlanName: plan, RestoreTestingSelectionName: name } = params
      const row = await getSelection(db, caller.tenant, plan, name)
      const { creatorRequestId: request } = row
      const more = request === null ? {} : { CreatorRequestId: request }
      return ok({ RestoreTestingSelection: { ...row.document, ...toSelection(row), ...more } })
    },

    async UpdateRestoreTestingSelection({ params, body }, context) {
      const { db, caller, clock } = context
      const plan = await lockedPlan(context, params.RestoreTestingPlanName)
      const row = await getSelection(db, caller.tenant, plan.name, params.RestoreTestingSelectionName)
      const { ProtectedResourceArns: _, ProtectedResourceConditions: __, ...rest } = row.document
      const { RestoreTestingSelection: changes } = body
      const isSelecting =
        changes.ProtectedResourceArns !== undefined || changes.ProtectedResourceConditions !== undefined
      const document = { ...(isSelecting ? rest : row.document), ...changes }
      await checkSelection(document, context, { tenant: caller.tenant, region })
      const at = clock.now()
      const updated = await store.updateSelection(db, { ...row, document }, at)
      return ok({ ...selectionResult(plan, updated), UpdateTime: seconds(at) })
    },

    async DeleteRestoreTestingSelection({ params }, { db, caller }) {
      const { RestoreTestingPlanName: plan, RestoreTestingSelectionName: name } = params
      await store.removeSelection(db, await getSelection(db, caller.tenant, plan, name))
      return ok({})
    },

    async ListRestoreTestingSelections({ params, query }, { db, caller }) {
      const plan = await getPlan(db, caller.tenant, params.RestoreTestingPlanName)
      const { MaxResults: limit, NextToken: token } = query
      const { items, next } = await store.listSelections(db, caller.tenant, plan.name, { limit, token })
      const RestoreTestingSelections = items.map((row) => {
        const { ValidationWindowHours: hours } = row.document
        return { ...toSelection(row), ...(hours !== undefined && { ValidationWindowHours: hours }) }
      })
      return ok({ RestoreTestingSelections }, { next })
    },

    async GetRestoreTestingInferredMetadata({ query }, { db, caller, runtime }) {
      const { tenant } = caller
      demandOwnAccount(query.BackupVaultAccountId, caller, query.BackupVaultName)
      const row = await points.find(db, tenant, pointIdIn({ tenant, region }, query.RecoveryPointArn))
      if (row?.vault !== query.BackupVaultName) notFound('recovery point', query.RecoveryPointArn)
      const backup = runtime.backups.get(row.resourceType)
      return ok({ InferredMetadata: { ...(backup?.trial(row.metadata, row.id) ?? row.metadata) } })
    },
  })

  function selectionResult(plan: store.TestingPlanRow, row: store.SelectionRow) {
    return { ...planResult(plan), CreationTime: seconds(row.createdAt), RestoreTestingSelectionName: row.name }
  }
}

const toSelection = ({ document, plan, name, createdAt }: store.SelectionRow) => ({
  CreationTime: seconds(createdAt),
  IamRoleArn: document.IamRoleArn,
  ProtectedResourceType: document.ProtectedResourceType,
  RestoreTestingPlanName: plan,
  RestoreTestingSelectionName: name,
})

const getPlan = async (db: ReadingDb, tenant: string, name: string) =>
  (await store.find(db, tenant, name)) ?? notFound('restore testing plan', name)

const getSelection = async (db: ReadingDb, tenant: string, plan: string, name: string) =>
  (await store.findSelection(db, tenant, plan, name)) ?? notFound('restore testing selection', name)

const lockedPlan = async ({ db, caller }: Context, name: string) =>
  (await store.lock(db, caller.tenant, name)) ?? notFound('restore testing plan', name)

/** Returns the existing row to a retried request; any other request for that name is rejected. */
function existingForRetry<Row extends { readonly name: string; readonly creatorRequestId: string | null }>(
  row: Row,
  creatorRequestId: string | null,
): Row {
  if (creatorRequestId !== null && row.creatorRequestId === creatorRequestId) return row
  throw new Failure('alreadyExists', `'${row.name}' already exists: choose another name.`)
}

async function checkSelection(
  selection: RestoreTestingSelection,
  { db, runtime }: Pick<Context<ServiceRuntime>, 'db' | 'runtime'>,
  owner: Owner,
): Promise<void> {
  const { ProtectedResourceArns: names, ProtectedResourceConditions, ProtectedResourceType: type } = selection
  const at = 'body/RestoreTestingSelection'
  if ((names === undefined) === (ProtectedResourceConditions === undefined))
    invalid([{ at, message: 'must have either ProtectedResourceArns or ProtectedResourceConditions' }])
  if (!runtime.backups.has(type))
    invalid([{ at: `${at}/ProtectedResourceType`, message: 'is not a type that can be backed up' }])
  if (names === undefined || (names.length === 1 && names[0] === '*')) return
  if (names.includes('*'))
    invalid([{ at: `${at}/ProtectedResourceArns`, message: 'must have either "*" or ARNs, not both' }])
  for (const [index, name] of names.entries()) {
    const position = `${at}/ProtectedResourceArns/${index}`
    checkOwnName(owner, name, position)
    const resource =
      (await resourceOf(db, owner, name)) ??
      (await protectedResources.find(db, owner.tenant, arnsOf(owner, runtime, name)))
    if (resource && resource.type !== type)
      invalid([{ at: position, message: `is of the type ${resource.type}, not of the ProtectedResourceType ${type}` }])
  }
}
