import { randomUUID } from 'node:crypto'
import { keyOf } from '@icosa/dialects/arm/names'
import {
  type Context,
  Failure,
  implement,
  noContent,
  notFound,
  ok,
  type ReadingContext,
  type Resource,
} from '@icosa/kernel'
import { newPassword } from '@icosa/tokens/passwords/scram'
import * as groups from '../groups/store.ts'
import { groupIdOf, machineId, readGroupId } from '../ids.ts'
import { imageOffer } from '../names.ts'
import type { MachineJobs } from '../provisioning/jobs.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { openMachine, sealMachine } from '../secrets.ts'
import { busy } from '../work.ts'
import { needsRestart, portOf, readSettings, refuseUnsupported } from './choices.ts'
import { machines as contract, type MachineInput, type PropertiesInput } from './contract.ts'
import { missing, ownerOf } from './owner.ts'
import * as store from './store.ts'
import { credentialsAt, entryOf, readExpand, toMachine } from './view.ts'

export function machines(jobs: MachineJobs): Resource<ServiceRuntime> {
  async function listPage(
    scope: Parameters<typeof store.list>[2],
    token: string | undefined,
    context: ReadingContext<ServiceRuntime>,
  ) {
    const { items, next } = await store.list(context.db, context.caller.tenant, scope, token)
    return ok({ value: items.map((row) => toMachine(row)) }, { next })
  }

  return implement<typeof contract, ServiceRuntime>(contract, {
    list: ({ params, query }, context) => listPage(params, query.$skipToken, context),
    listByResourceGroup: ({ params, query }, context) => listPage(params, query.$skipToken, context),

    async listBySqlVmGroup({ params, query }, { db, caller }) {
      const group = (await groups.find(db, caller.tenant, params)) ?? missingGroup(params)
      const { items, next } = await store.listOfGroup(db, caller.tenant, group.id, query.$skipToken)
      return ok({ value: items.map((row) => toMachine(row)) }, { next })
    },

    async get({ params, query }, { db, caller }) {
      const row = (await store.find(db, caller.tenant, params)) ?? missing(params)
      return ok(toMachine(row, readExpand(query.$expand)))
    },

    async listCredentials({ params }, context) {
      const { instance, password } = await ownerOf(context, params)
      return ok(credentialsAt([instance], password))
    },

    async createOrUpdate({ params, body }, context) {
      refuseUnsupported(body)
      const row = await store.findLocked(context.db, context.caller.tenant, params)
      return row ? change(context, row, body, jobs) : create(context, params, body, jobs)
    },

    async update({ params, body }, { db, caller, resources }) {
      const row = (await store.findLocked(db, caller.tenant, params)) ?? missing(params)
      const updated = (await store.setTags(db, row, body.tags ?? row.tags)) ?? row
      await resources.put(entryOf(updated))
      return ok(toMachine(updated))
    },

    async delete({ params }, { db, caller, operations }) {
      const row = await store.findLocked(db, caller.tenant, params)
      if (!row) return noContent()
      if (row.state === 'Deleting') return { status: 202 as const, body: undefined, operation: { id: row.operation } }
      const work = { id: row.id, work: randomUUID() }
      const operation = await operations.start(jobs.remove, work, { resource: machineId(row) })
      await store.begin(db, work, 'Deleting', operation.id)
      return { status: 202 as const, body: undefined, operation }
    },

    async restart({ params }, { db, caller, operations }) {
      const row = (await store.findLocked(db, caller.tenant, params)) ?? missing(params)
      if (row.state !== 'Succeeded') busy('machine', row.sqlVirtualMachineName, row.state)
      const work = { id: row.id, work: randomUUID() }
      const operation = await operations.start(jobs.change, work, { resource: machineId(row) })
      await store.begin(db, work, 'Updating', operation.id)
      return { status: 202 as const, body: undefined, operation }
    },
  })
}

const missingGroup = ({ sqlVirtualMachineGroupName }: groups.GroupScope): never =>
  notFound('SQL virtual machine group', sqlVirtualMachineGroupName)

async function create(
  context: Context<ServiceRuntime>,
  scope: store.MachineScope,
  body: MachineInput,
  jobs: MachineJobs,
) {
  const { db, caller, clock, operations, resources } = context
  const { properties = {} } = body
  const group = await groupOf(context, properties, body.location)
  const { settings, login } = readSettings(properties)
  const id = randomUUID()
  const work = { id, work: randomUUID() }
  const operation = await operations.start(jobs.create, work, { resource: machineId(scope) })
  const row = await store.insert(db, {
    subscriptionId: scope.subscriptionId,
    resourceGroupName: scope.resourceGroupName,
    sqlVirtualMachineName: scope.sqlVirtualMachineName,
    tenant: caller.tenant,
    id,
    cluster: group?.id ?? null,
    location: body.location,
    tags: body.tags ?? {},
    virtualMachine: properties.virtualMachineResourceId ?? null,
    license: properties.sqlServerLicenseType ?? null,
    management: properties.sqlManagement ?? 'Full',
    offer: imageOffer,
    sku: skuOf(properties, group),
    settings,
    secrets: sealMachine(await context.tenantVault(), id, { admin: newPassword(), login }),
    state: 'Creating',
    work: work.work,
    operation: operation.id,
    createdAt: clock.now(),
  })
  await resources.put(entryOf(row))
  return { status: 201 as const, body: toMachine(row), operation }
}

function skuOf({ sqlImageSku }: PropertiesInput, group: groups.GroupRow | undefined) {
  if (group && sqlImageSku !== undefined && sqlImageSku !== group.sku)
    throw new Failure('invalid', `The machines of the group are ${group.sku}: leave sqlImageSku out.`, {
      code: 'InvalidSqlImageSku',
    })
  return group?.sku ?? sqlImageSku ?? 'Developer'
}

/** Locks the group of a new machine until the transaction ends. */
async function groupOf({ db, caller }: Context<ServiceRuntime>, properties: PropertiesInput, location: string) {
  const { sqlVirtualMachineGroupResourceId: id } = properties
  if (id === undefined) return undefined
  const scope = readGroupId(id)
  const group = await groups.findLocked(db, caller.tenant, scope)
  if (!group)
    throw new Failure('invalid', `The group '${scope.sqlVirtualMachineGroupName}' does not exist: create it first.`, {
      code: 'GroupNotFound',
    })
  if (group.state === 'Deleting' || group.state === 'Failed')
    busy('group', scope.sqlVirtualMachineGroupName, group.state)
  if (keyOf(group.location) !== keyOf(location))
    throw new Failure('invalid', `The group is in ${group.location}: its machines must be in the same location.`, {
      code: 'InvalidLocation',
    })
  return group
}

async function change(context: Context<ServiceRuntime>, row: store.MachineRow, body: MachineInput, jobs: MachineJobs) {
  const { db, clock, operations, resources } = context
  const { properties = {} } = body
  checkUnchanged(row, body)
  if (row.state === 'Deleting') busy('machine', row.sqlVirtualMachineName, row.state)
  const { settings, login } = readSettings(properties)
  const vault = await context.tenantVault()
  const before = openMachine(vault, row.id, row.secrets)
  const isNewLogin = JSON.stringify(before.login) !== JSON.stringify(login)
  const to = {
    tags: body.tags ?? row.tags,
    virtualMachine: properties.virtualMachineResourceId ?? row.virtualMachine,
    license: properties.sqlServerLicenseType ?? row.license,
    management: properties.sqlManagement ?? row.management,
    settings,
    secrets: sealMachine(vault, row.id, { ...before, login }),
  }
  const updated = (await store.setChoices(db, row, to, clock.now())) ?? row
  await resources.put(entryOf(updated))
  const isRetry = row.state === 'Failed' || row.state === 'Creating'
  if (!isRetry && !isNewLogin && !needsRestart(row.settings, settings)) return ok(toMachine(updated))
  const work = { id: row.id, work: randomUUID() }
  const operation = await operations.start(isRetry ? jobs.create : jobs.change, work, { resource: machineId(row) })
  const started = await store.begin(db, work, isRetry ? 'Creating' : 'Updating', operation.id)
  return { status: 200 as const, body: toMachine(started ?? updated), operation }
}

/** Rejects changes of immutable properties. */
function checkUnchanged(row: store.MachineRow, { location, properties = {} }: MachineInput): void {
  const refuseChange = (property: string): never => {
    throw new Failure(
      'conflict',
      `The ${property} of '${row.sqlVirtualMachineName}' cannot be changed: create another machine.`,
      {
        code: 'PropertyChangeNotAllowed',
      },
    )
  }
  const { sqlImageSku, sqlVirtualMachineGroupResourceId: group } = properties
  if (keyOf(location) !== keyOf(row.location)) refuseChange('location')
  if (sqlImageSku !== undefined && sqlImageSku !== row.sku) refuseChange('sqlImageSku')
  const currentGroup =
    row.groupName === null || row.groupScope === null
      ? undefined
      : groupIdOf({ ...row.groupScope, sqlVirtualMachineGroupName: row.groupName })
  if (group !== undefined && keyOf(groupIdOf(readGroupId(group))) !== (currentGroup && keyOf(currentGroup)))
    refuseChange('sqlVirtualMachineGroupResourceId')
  const port = portOf(properties)
  if (port !== undefined && port !== (portOf(row.settings) ?? row.instance?.port)) refuseChange('port')
}
