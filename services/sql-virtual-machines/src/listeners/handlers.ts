import { randomUUID } from 'node:crypto'
import {
  type Context,
  Failure,
  implement,
  invalid,
  noContent,
  notFound,
  ok,
  type ReadingContext,
  type Resource,
} from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import * as groups from '../groups/store.ts'
import { listenerId, readMachineId } from '../ids.ts'
import * as machines from '../machines/store.ts'
import { credentialsAt } from '../machines/view.ts'
import { portRange, takePort } from '../provisioning/placement-store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { openGroup } from '../secrets.ts'
import { unsupported } from '../unsupported.ts'
import { busy } from '../work.ts'
import { listeners as contract, type ListenerInput } from './contract.ts'
import { openListener } from './jobs.ts'
import * as store from './store.ts'
import { toListener } from './view.ts'

type ReadContext = Pick<ReadingContext<ServiceRuntime>, 'db' | 'caller'>

const groupOf = async ({ db, caller }: ReadContext, scope: groups.GroupScope) =>
  (await groups.find(db, caller.tenant, scope)) ??
  notFound('SQL virtual machine group', scope.sqlVirtualMachineGroupName)

const missing = (name: string): never => notFound('availability group listener', name)

export const listeners: Resource<ServiceRuntime> = implement<typeof contract, ServiceRuntime>(contract, {
  async get({ params }, context) {
    const group = await groupOf(context, params)
    const name = params.availabilityGroupListenerName
    return ok(toListener((await store.find(context.db, context.caller.tenant, group.id, name)) ?? missing(name), group))
  },

  async listByGroup({ params, query }, context) {
    const group = await groupOf(context, params)
    const { items, next } = await store.list(context.db, context.caller.tenant, group.id, query.$skipToken)
    return ok({ value: items.map((row) => toListener(row, group)) }, { next })
  },

  async listCredentials({ params }, context) {
    const group = await groupOf(context, params)
    const name = params.availabilityGroupListenerName
    const row = (await store.find(context.db, context.caller.tenant, group.id, name)) ?? missing(name)
    const open = row.openings.filter(({ problem }) => problem === null)
    if (open.length === 0) busy('listener', name, 'Creating')
    const { admin } = openGroup(await context.tenantVault(), group.id, group.secrets)
    return ok(
      credentialsAt(
        open.map(({ address }) => ({ host: address, port: row.port })),
        admin,
      ),
    )
  },

  async createOrUpdate({ params, body }, context) {
    const { db, caller, clock, operations } = context
    refuseUnsupported(body)
    const group =
      (await groups.findLocked(db, caller.tenant, params)) ??
      notFound('SQL virtual machine group', params.sqlVirtualMachineGroupName)
    if (group.state === 'Deleting') busy('group', group.sqlVirtualMachineGroupName, group.state)
    const name = params.availabilityGroupListenerName
    const row = await store.find(db, caller.tenant, group.id, name)
    const id = row?.id ?? randomUUID()
    const choices = await resolveChoices(context, id, row, group, body)
    const resource = listenerId(group, name)
    if (row && isSame(row, choices)) return ok(toListener(row, group))
    const operation = await operations.start(openListener, { id }, { resource })
    if (row) return { status: 200 as const, body: toListener(await store.change(db, id, choices), group), operation }
    const newRow = { ...choices, tenant: caller.tenant, cluster: group.id, name, id, createdAt: clock.now() }
    return { status: 201 as const, body: toListener(await store.insert(db, newRow), group), operation }
  },

  async delete({ params }, { db, caller }) {
    const group = await groups.findLocked(db, caller.tenant, params)
    const row = group && (await store.find(db, caller.tenant, group.id, params.availabilityGroupListenerName))
    if (!row) return noContent()
    await store.remove(db, row.id)
    return { status: 200 as const, body: undefined }
  },
})

function refuseUnsupported({ properties = {} }: ListenerInput): void {
  const [balancer = {}] = properties.loadBalancerConfigurations ?? []
  for (const name of ['loadBalancerResourceId', 'privateIpAddress', 'publicIpAddressResourceId'] as const)
    if (balancer[name] !== undefined) notSupported(unsupported.loadBalancer, name)
}

const isSame = (row: store.ListenerRow, to: store.Changes) =>
  row.port === to.port &&
  row.probePort === to.probePort &&
  row.availabilityGroup === to.availabilityGroup &&
  row.members.join() === to.members.join()

/** The requested properties, with free ports where none is requested. */
async function resolveChoices(
  context: Context<ServiceRuntime>,
  id: string,
  row: store.ListenerRow | undefined,
  group: groups.GroupRow,
  { properties = {} }: ListenerInput,
): Promise<store.Changes> {
  const { db } = context
  const [balancer = {}] = properties.loadBalancerConfigurations ?? []
  const { port = row?.port } = properties
  const { probePort } = balancer
  if (port !== undefined && port === probePort)
    invalid([{ at: 'body/properties/loadBalancerConfigurations/0/probePort', message: 'must differ from port' }])
  const members = await membersIn(context, group, balancer.sqlVirtualMachineInstances ?? [])
  if (row) await store.freePorts(db, id)
  const range = await portRange(db)
  const probe = probePort === undefined ? null : await takePort(db, id, probePort, range)
  return {
    port: await takePort(db, id, port, range),
    probePort: probe,
    availabilityGroup: properties.availabilityGroupName ?? null,
    members,
  }
}

async function membersIn(
  { db, caller }: Context<ServiceRuntime>,
  group: groups.GroupRow,
  ids: readonly string[],
): Promise<string[]> {
  const memberIds: string[] = []
  for (const id of ids) {
    const machine = await machines.find(db, caller.tenant, readMachineId(id))
    if (machine?.cluster !== group.id)
      throw new Failure('invalid', `'${id}' is not a machine of the group '${group.sqlVirtualMachineGroupName}'.`, {
        code: 'InvalidSqlVirtualMachineInstance',
      })
    memberIds.push(machine.id)
  }
  return [...new Set(memberIds)].toSorted()
}
