import { isDeepStrictEqual } from 'node:util'
import { maskedFields, withFields } from '@icosa/dialects/google/field-mask'
import {
  type Context,
  Failure,
  implement,
  invalid,
  notFound,
  ok,
  type Preparation,
  type Resource,
  tagOf,
  withPreparation,
} from '@icosa/kernel'
import { type Deployment, deleteFunction, type Jobs, refuseExisting } from '../deploy/jobs.ts'
import { createDataKey, type DataKey } from '../encryption/data-keys.ts'
import { dataKeyOf, openDesired, sealDesired } from '../encryption/desired.ts'
import { checkAccounts } from '../identities/access.ts'
import { serviceName } from '../names.ts'
import * as operations from '../operations/store.ts'
import { toFunctionOperation } from '../operations/view.ts'
import { ownOf } from '../policies/grants.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { addressOf, functionIdOf } from './address.ts'
import { functions as contract, FunctionResource } from './contract.ts'
import { type Desired, type FunctionBody, readDesired } from './desired.ts'
import { toCondition, toOrder } from './filter-store.ts'
import type { Offer } from './offer.ts'
import { checkSource } from './source.ts'
import * as store from './store.ts'
import type { UrlOf } from './url.ts'
import { entryOf, nameOf, toFunction } from './view.ts'

const maxPageSize = 1000
const updatePermission = `${serviceName}:updateFunction`

/** Of a function: who may change it by a role must not reach more of the tenant by it. */
const reachOf = ({ kmsKeyName, eventTrigger, serviceConfig }: Desired) => ({
  ...{ kmsKeyName, eventTrigger, serviceAccountEmail: serviceConfig.serviceAccountEmail },
  secretEnvironmentVariables: serviceConfig.secretEnvironmentVariables,
  ...{ secretVolumes: serviceConfig.secretVolumes, vpcConnector: serviceConfig.vpcConnector },
  vpcConnectorEgressSettings: serviceConfig.vpcConnectorEgressSettings,
})

function refuseWider(before: Desired, after: Desired): void {
  const [was, is] = [reachOf(before), reachOf(after)]
  const changed = (Object.keys(is) as (keyof typeof is)[]).find((name) => !isDeepStrictEqual(was[name], is[name]))
  if (changed)
    throw new Failure(
      'forbidden',
      `Changing ${changed} requires a credential with the permission ${updatePermission}, not only a role.`,
    )
}
const nothingOffered: Offer = { connectors: [], workerPools: [], hasBuildVariables: () => false }

export function functions(urlOf: UrlOf, { deploy }: Jobs, offer: Offer): Resource<ServiceRuntime> {
  return implement<typeof contract, ServiceRuntime>(contract, {
    async listFunctions({ params, query }, { db, caller }) {
      const { filter = '', orderBy = '', pageSize, pageToken } = query
      const { items, next } = await store.list(db, {
        tenant: caller.tenant,
        project: params.project,
        location: params.location,
        limit: Math.min(pageSize || maxPageSize, maxPageSize),
        token: pageToken || undefined,
        filter,
        condition: toCondition(filter),
        order: toOrder(orderBy),
      })
      return ok({ functions: items.map((row) => toFunction(row, urlOf)), unreachable: [] }, { next })
    },

    async getFunction({ params }, { db, caller, runtime }) {
      const row = (await store.find(db, caller.tenant, params)) ?? missing(params)
      const key = await dataKeyOf(runtime.keys, caller.tenant, row)
      return ok(toFunction({ ...row, desired: openDesired(row.desired, key) }, urlOf))
    },

    createFunction: withPreparation(
      ({ params, body }, { caller, runtime }) => newDataKey(runtime, caller.tenant, params.project, body.kmsKeyName),
      ({ params, query: { functionId }, body }, context, dataKey) =>
        create(context, { ...params, functionId, body, deploy, offer, dataKey }),
    ),

    updateFunction: withPreparation(dataKeysFor, async ({ params, query, body }, context, dataKeys) => {
      const { db, caller, clock } = context
      const row = (await store.findLocked(db, caller.tenant, params)) ?? missing(params)
      if (row.state === 'DEPLOYING' || row.state === 'DELETING')
        throw new Failure('conflict', `'${row.function}' is ${row.state}: wait for its operation to end.`)
      const desired = sealed(merged(opened(row, dataKeys), body, query.updateMask, offer), dataKeys)
      if (!ownOf(caller).allows(updatePermission)) refuseWider(opened(row, dataKeys).desired, desired)
      await checkAccounts(db, caller, desired)
      const isSame = isDeepStrictEqual(desired.buildConfig.source, row.desired.buildConfig.source)
      if (!isSame) await checkSource(db, caller.tenant, row, desired)
      const deployment: Deployment = { tenant: caller.tenant, ...store.placeOf(row), number: row.number + 1 }
      const { id: operation } = await context.operations.start(deploy, deployment, { resource: nameOf(row) })
      await store.beginChange(db, row, { desired, number: deployment.number, operation, now: clock.now() })
      await context.resources.put(entryOf({ ...row, desired }))
      return operationReply(context, row, 'update', operation)
    }),

    async deleteFunction({ params }, context) {
      const { db, caller, clock } = context
      const row = (await store.findLocked(db, caller.tenant, params)) ?? missing(params)
      if (row.state === 'DELETING') return operationReply(context, row, 'delete', row.operation, { isNew: false })
      if (row.state === 'DEPLOYING') await context.operations.cancel(row.operation)
      const address = { tenant: caller.tenant, ...store.placeOf(row) }
      const { id: operation } = await context.operations.start(deleteFunction, address, { resource: nameOf(row) })
      await store.beginDeletion(db, row, operation, clock.now())
      return operationReply(context, row, 'delete', operation)
    },
  })
}

interface Creation {
  readonly project: string
  readonly location: string
  readonly functionId: string | undefined
  readonly body: FunctionBody
  readonly deploy: Jobs['deploy']
  /** By default, nothing of the operator's. */
  readonly offer?: Offer
  readonly dataKey?: DataKey | undefined
}

/** Starts the deployment of a new function. */
export async function create(context: Context, creation: Creation) {
  const { project, location, functionId, body, deploy, offer = nothingOffered, dataKey } = creation
  const { db, caller, clock } = context
  const { tenant } = caller
  if (location === '-') invalid([{ at: 'path/location', message: 'must be one location, not - for all' }])
  const place = { project, location, function: functionIdOf({ project, location }, functionId, body.name) }
  const desired = sealed(readDesired(body, offer), { created: dataKey })
  await checkSource(db, tenant, place, desired)
  await checkAccounts(db, caller, desired)
  if (await store.find(db, tenant, place))
    return operationReply(context, place, 'create', await startRefusal(context, place))
  const { id: operation } = await context.operations.start(
    deploy,
    { tenant, ...place, number: 1 },
    { resource: nameOf(place) },
  )
  const address = addressOf({ tenant, tag: await tagOf(db, clock, tenant) }, place)
  const row = await store.insert(db, { ...place, tenant, desired, address, operation, now: clock.now() })
  if (!row) throw new Failure('conflict', `'${place.function}' was created concurrently: try again.`)
  await context.resources.put(entryOf(row))
  return operationReply(context, place, 'create', operation)
}

function missing(place: store.Place): never {
  return notFound('function', nameOf(place))
}

/** Data keys of an update: that of the current environment, and a new one. */
interface DataKeys {
  readonly current?: DataKey | undefined
  readonly created?: DataKey | undefined
}

async function newDataKey(
  { keys }: Pick<ServiceRuntime, 'keys'>,
  tenant: string,
  project: string,
  kmsKeyName: string | undefined,
): Promise<DataKey | undefined> {
  return kmsKeyName ? await createDataKey(keys, { tenant, project }, kmsKeyName) : undefined
}

interface Update {
  readonly params: store.Place
  readonly body: FunctionBody
}

/** Unwraps and wraps data keys before anything is locked. */
async function dataKeysFor(
  { params, body: { kmsKeyName } }: Update,
  { db, caller, runtime }: Preparation<ServiceRuntime>,
): Promise<DataKeys> {
  const row = (await store.find(db, caller.tenant, params)) ?? missing(params)
  const isNew = kmsKeyName !== row.desired.kmsKeyName
  return {
    current: await dataKeyOf(runtime.keys, caller.tenant, row),
    created: isNew ? await newDataKey(runtime, caller.tenant, params.project, kmsKeyName) : undefined,
  }
}

function opened(row: store.FunctionRow, { current }: DataKeys): store.FunctionRow {
  if (row.desired.sealed?.id !== current?.stored.id) throw changedKey(row.function)
  return { ...row, desired: openDesired(row.desired, current) }
}

function sealed(desired: Desired, { current, created }: DataKeys): Desired {
  const { kmsKeyName } = desired
  if (kmsKeyName === undefined) return desired
  const key = [current, created].find((candidate) => candidate?.stored.kmsKeyName === kmsKeyName)
  if (!key) throw changedKey('The function')
  return sealDesired(desired, key)
}

const changedKey = (name: string) =>
  new Failure('conflict', `The key of '${name}' was changed concurrently: try again.`)

/** Applies the fields in the mask, or those that were sent. */
function merged(row: store.FunctionRow, body: FunctionBody, mask: string | undefined, offer: Offer): Desired {
  if (body.name && body.name !== nameOf(row))
    invalid([{ at: 'body/name', message: `is not ${nameOf(row)}: a function keeps its name` }])
  const fields = maskedFields(mask, body, FunctionResource).filter(([first]) => first !== 'name')
  return readDesired(withFields({ ...row.desired }, body, fields) as FunctionBody, offer)
}

/** Creating an existing function fails as an operation, not as a request. */
async function startRefusal({ operations, caller }: Context, place: store.Place): Promise<string> {
  const existing = { tenant: caller.tenant, ...place }
  return (await operations.start(refuseExisting, existing, { resource: nameOf(place) })).id
}

async function operationReply(
  { db, caller, clock, operations: running }: Context,
  place: store.Place,
  verb: operations.Verb,
  id: string,
  { isNew = true } = {},
) {
  const row = { id, ...store.placeOf(place), verb }
  if (isNew) await operations.insert(db, caller.tenant, row, clock.now())
  const state = (await running.find(id)) ?? notFound('operation', id)
  return ok(toFunctionOperation(row, state))
}
