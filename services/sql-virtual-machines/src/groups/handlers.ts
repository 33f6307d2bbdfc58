import { randomUUID } from 'node:crypto'
import { keyOf } from '@icosa/dialects/arm/names'
import { Failure, implement, noContent, notFound, ok, type ReadingContext, type Resource } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { groupIdOf } from '../ids.ts'
import { checkOffer } from '../machines/choices.ts'
import { imageOffer } from '../names.ts'
import type { MachineJobs } from '../provisioning/jobs.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { newGroupSecrets, sealGroup } from '../secrets.ts'
import { unsupported } from '../unsupported.ts'
import { busy } from '../work.ts'
import { groups as contract } from './contract.ts'
import * as store from './store.ts'
import { entryOf, toGroup } from './view.ts'

export function groups(jobs: MachineJobs): Resource<ServiceRuntime> {
  async function listPage(
    scope: Parameters<typeof store.list>[2],
    token: string | undefined,
    context: ReadingContext<ServiceRuntime>,
  ) {
    const { items, next } = await store.list(context.db, context.caller.tenant, scope, token)
    return ok({ value: items.map(toGroup) }, { next })
  }

  return implement<typeof contract, ServiceRuntime>(contract, {
    list: ({ params, query }, context) => listPage(params, query.$skipToken, context),
    listByResourceGroup: ({ params, query }, context) => listPage(params, query.$skipToken, context),

    async get({ params }, { db, caller }) {
      return ok(toGroup((await store.find(db, caller.tenant, params)) ?? missing(params)))
    },

    async createOrUpdate({ params, body }, { db, caller, clock, tenantVault, operations, resources }) {
      const { properties = {}, location, tags } = body
      checkOffer(properties.sqlImageOffer)
      if (properties.wsfcDomainProfile) notSupported(unsupported.domainProfile)
      const row = await store.findLocked(db, caller.tenant, params)
      if (row) {
        const { sqlImageSku } = properties
        if (keyOf(location) !== keyOf(row.location)) refuseChange('location', row)
        if (sqlImageSku !== undefined && sqlImageSku !== row.sku) refuseChange('sqlImageSku', row)
        if (row.state === 'Deleting') busy('group', row.sqlVirtualMachineGroupName, row.state)
        const updated = (await store.setTags(db, row, tags ?? row.tags)) ?? row
        await resources.put(entryOf(updated))
        if (row.state !== 'Failed') return ok(toGroup(updated))
        const retry = { id: row.id, work: randomUUID() }
        const operation = await operations.start(jobs.createGroup, retry, { resource: groupIdOf(row) })
        const started = await store.begin(db, retry, 'Creating', operation.id)
        return { status: 200 as const, body: toGroup(started ?? updated), operation }
      }
      const id = randomUUID()
      const work = { id, work: randomUUID() }
      const operation = await operations.start(jobs.createGroup, work, { resource: groupIdOf(params) })
      const created = await store.insert(db, {
        subscriptionId: params.subscriptionId,
        resourceGroupName: params.resourceGroupName,
        sqlVirtualMachineGroupName: params.sqlVirtualMachineGroupName,
        tenant: caller.tenant,
        id,
        location,
        tags: tags ?? {},
        offer: imageOffer,
        sku: properties.sqlImageSku ?? 'Developer',
        secrets: sealGroup(await tenantVault(), id, newGroupSecrets()),
        state: 'Creating',
        work: work.work,
        operation: operation.id,
        createdAt: clock.now(),
      })
      await resources.put(entryOf(created))
      return { status: 201 as const, body: toGroup(created), operation }
    },

    async update({ params, body }, { db, caller, resources }) {
      const row = (await store.findLocked(db, caller.tenant, params)) ?? missing(params)
      const updated = (await store.setTags(db, row, body.tags ?? row.tags)) ?? row
      await resources.put(entryOf(updated))
      return ok(toGroup(updated))
    },

    async delete({ params }, { db, caller, operations }) {
      const row = await store.findLocked(db, caller.tenant, params)
      if (!row) return noContent()
      if (row.state === 'Deleting') return { status: 202 as const, body: undefined, operation: { id: row.operation } }
      const count = await store.countMachines(db, row.id)
      if (count > 0)
        throw new Failure(
          'conflict',
          `The group '${row.sqlVirtualMachineGroupName}' has ${count} machines: delete them first.`,
          {
            code: 'GroupNotEmpty',
          },
        )
      const work = { id: row.id, work: randomUUID() }
      const operation = await operations.start(jobs.removeGroup, work, { resource: groupIdOf(row) })
      await store.begin(db, work, 'Deleting', operation.id)
      return { status: 202 as const, body: undefined, operation }
    },

    async failover({ params }, { db, caller, operations }) {
      const row = (await store.findLocked(db, caller.tenant, params)) ?? missing(params)
      if (row.state !== 'Succeeded') busy('group', row.sqlVirtualMachineGroupName, row.state)
      if ((await store.countMachines(db, row.id)) < 2)
        throw new Failure('conflict', 'The group has no other machine to fail over to.', {
          code: 'NoSecondary',
        })
      const work = { id: row.id, work: randomUUID() }
      const operation = await operations.start(jobs.failover, work, { resource: groupIdOf(row) })
      return { status: 202 as const, body: undefined, operation }
    },
  })
}

const missing = ({ sqlVirtualMachineGroupName }: store.GroupScope): never =>
  notFound('SQL virtual machine group', sqlVirtualMachineGroupName)

function refuseChange(property: string, { sqlVirtualMachineGroupName }: store.GroupRow): never {
  throw new Failure(
    'conflict',
    `The ${property} of '${sqlVirtualMachineGroupName}' cannot be changed: create another group.`,
    {
      code: 'PropertyChangeNotAllowed',
    },
  )
}
