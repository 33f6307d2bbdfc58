import { randomInt } from 'node:crypto'
import { connect } from 'node:net'
import { join } from 'node:path'
import { isDeepStrictEqual as isEqual } from 'node:util'
import { sql } from '@icosa/kernel'
import { foldersOf } from '../../services/sql-virtual-machines/src/hosting/folders.ts'
import { killAll } from '../../services/sql-virtual-machines/src/hosting/tree.ts'
import { lost, startWriter } from '../../services/sql-virtual-machines/src/testing/writer.ts'
import { type Answer, statementsOf, until } from './statements.ts'

const service = 'sql-virtual-machines'
const area = 'Vendor.SqlVirtualMachine'
const version = 'api-version=2017-03-01-preview'
const location = 'westeurope'
const inWeb = `/subscriptions/mine/resourceGroups/web/providers/${area}`
const groupId = `${inWeb}/sqlVirtualMachineGroups/shop`
const group = `${groupId}?${version}`
const machineOf = (name: string) => `${inWeb}/sqlVirtualMachines/${name}?${version}`
const listenerId = (name: string) => `${groupId}/availabilityGroupListeners/${name}`
const listenerOf = (name: string) => `${listenerId(name)}?${version}`
const names = ['shop-1', 'shop-2']
/** Above the ports of machines and listeners. */
const probePort = randomInt(16_200, 16_400)

const codeOf = ({ json }: Answer): string | undefined => json?.error?.code
const namesIn = ({ json }: Answer): string[] => (json?.value ?? []).map(({ name }: { name: string }) => name)
/** Polls for two minutes, since a failover may take that long on a busy machine. */
const patiently = async <T>(ask: () => Promise<T | undefined | false>) => (await until(ask)) ?? until(ask)

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.setTimeout(5_000, () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

statementsOf('V (groups)', [service], async ({ caller, holds, unbuilt, instance }) => {
  const call = caller(service)
  const get = (path: string) => call('GET', path)
  const settled = (path: string) =>
    patiently(async () => {
      const { json } = await get(path)
      return ['Succeeded', 'Failed'].includes(json?.properties?.provisioningState) && json
    })
  const listen = (name: string, properties: object = {}) => call('PUT', listenerOf(name), { properties })
  const list = async (path: string) => namesIn(await get(`${path}?${version}`))

  const missing = await get(group)
  holds('GET of a group that does not exist is 404', missing.status === 404 && codeOf(missing) === 'ResourceNotFound')
  holds('DELETE of a group that does not exist is 204', (await call('DELETE', group)).status === 204)
  const unpatched = await call('PATCH', group, { tags: {} })
  holds('PATCH of a group that does not exist is 404', unpatched.status === 404, unpatched.text)
  holds('DELETE of a listener without a group is 204', (await call('DELETE', listenerOf('main'))).status === 204)
  const early = await listen('main')
  holds('PUT of a listener without a group is 404', early.status === 404, early.text)
  const homeless = await call('PUT', group, {})
  holds('the location of a group is required', homeless.status === 400 && homeless.text.includes('location'))
  const misspelt = await call('PUT', group, { location, properties: { nonsense: 1 } })
  holds(
    'an unknown property of a group is refused by name',
    misspelt.status === 400 && misspelt.text.includes('nonsense'),
  )
  const domain = await call('PUT', group, { location, properties: { wsfcDomainProfile: { domainFqdn: 'a.b' } } })
  unbuilt('a Windows domain is not supported', domain, 'wsfcDomainProfile')

  const created = await call('PUT', group, { location, tags: { a: 'b' } })
  holds('PUT creates a group: 201', created.status === 201 && created.json?.id === groupId, created.text)
  holds(
    'it has its name and its type',
    created.json?.name === 'shop' && created.json.type === `${area}/sqlVirtualMachineGroups`,
  )
  holds(
    'it has its location and its tags',
    created.json?.location === location && isEqual(created.json.tags, { a: 'b' }),
  )
  holds('the answer says where to poll', created.headers.get('azure-asyncoperation')?.includes('/operationStatuses/'))
  const ready = await settled(group)
  holds('it becomes Succeeded', ready?.properties.provisioningState === 'Succeeded', ready)
  const { scaleType, sqlImageSku } = ready?.properties ?? {}
  holds(
    'it is for high availability, of Developer machines by default',
    `${scaleType} ${sqlImageSku}` === 'HA Developer',
  )
  const again = await call('PUT', group, { location })
  holds(
    'PUT of a group that is there is 200',
    again.status === 200 && isEqual(again.json?.tags, { a: 'b' }),
    again.text,
  )
  const patched = await call('PATCH', group, { tags: { c: 'd' } })
  holds('PATCH updates the tags of a group: 200', patched.status === 200 && isEqual(patched.json?.tags, { c: 'd' }))
  const dropped = await call('PATCH', group, { properties: { sqlImageSku: 'Enterprise' } })
  holds('PATCH of the properties of a group is refused', dropped.status === 400 && dropped.text.includes('properties'))
  const moved = await call('PUT', group, { location: 'elsewhere' })
  holds('a group does not move', moved.status === 409 && codeOf(moved) === 'PropertyChangeNotAllowed', moved.text)
  holds('a resource group lists its groups', isEqual(await list(`${inWeb}/sqlVirtualMachineGroups`), ['shop']))
  const subscription = `/subscriptions/mine/providers/${area}/sqlVirtualMachineGroups`
  holds('a subscription lists its groups', isEqual(await list(subscription), ['shop']))
  holds('a new group has no machines', isEqual(await list(`${groupId}/sqlVirtualMachines`), []))
  const alone = await call('POST', `${groupId}/failover?${version}`)
  holds(
    'a group without machines is not handed over',
    alone.status === 409 && codeOf(alone) === 'NoSecondary',
    alone.text,
  )

  const properties = { sqlVirtualMachineGroupResourceId: groupId }
  const astray = await call('PUT', machineOf('astray'), { location: 'elsewhere', properties })
  holds('a machine is where its group is', astray.status === 400 && codeOf(astray) === 'InvalidLocation', astray.text)
  const begun = await Promise.all([
    ...names.map((name) => call('PUT', machineOf(name), { location, properties })),
    ...['main', 'second', 'third'].map((name) =>
      listen(name, name === 'main' ? { availabilityGroupName: 'ag', loadBalancerConfigurations: [{ probePort }] } : {}),
    ),
  ])
  const statuses = begun.map(({ status }) => status)
  holds('machines and listeners are created at once: 201', isEqual(statuses, [201, 201, 201, 201, 201]), statuses)
  for (const name of names) {
    const machine = await settled(machineOf(name))
    const { provisioningState, sqlVirtualMachineGroupResourceId } = machine?.properties ?? {}
    holds(`${name} becomes Succeeded`, provisioningState === 'Succeeded', machine)
    holds(`${name} names its group`, sqlVirtualMachineGroupResourceId === groupId, machine)
  }
  holds('the machines of a group are listed', isEqual(await list(`${groupId}/sqlVirtualMachines`), names))
  const full = await call('DELETE', group)
  holds('a group with machines is not deleted', full.status === 409 && codeOf(full) === 'GroupNotEmpty', full.text)

  const main = await settled(listenerOf('main'))
  holds('a listener becomes Succeeded', main?.properties.provisioningState === 'Succeeded', main)
  holds('its id is its path', main?.id === listenerId('main') && main.name === 'main', main)
  holds('it has its type', main?.type === `${area}/sqlVirtualMachineGroups/availabilityGroupListeners`, main)
  const { availabilityGroupName, loadBalancerConfigurations, port, endpoints } = main?.properties ?? {}
  holds('it has its availability group', availabilityGroupName === 'ag', main)
  holds('it has its probe port', isEqual(loadBalancerConfigurations, [{ probePort }]), main)
  holds('it says where it is', isEqual(endpoints, [`127.0.0.1:${port}`]), main)
  const ports = await Promise.all(
    begun.slice(2).map(async ({ json }) => (await settled(`${json.id}?${version}`))?.properties.port),
  )
  holds('each listener has a port of its own', new Set([...ports, probePort]).size === 4, ports)
  const listeners = `${groupId}/availabilityGroupListeners`
  holds('the listeners of a group are listed', isEqual(await list(listeners), ['main', 'second', 'third']))
  const same = await listen('main', { availabilityGroupName: 'ag', loadBalancerConfigurations: [{ probePort }] })
  holds('PUT of a listener that is there is 200', same.status === 200 && same.json?.properties.port === port, same.text)
  const conflict = await listen('fourth', { port })
  holds('a port is taken once', conflict.status === 409 && codeOf(conflict) === 'PortNotAvailable', conflict.text)
  const foreign = { sqlVirtualMachineInstances: [`${inWeb}/sqlVirtualMachines/none`] }
  const unknown = await listen('fourth', { loadBalancerConfigurations: [foreign] })
  holds(
    'a listener is for machines of its group',
    unknown.status === 400 && unknown.text.includes('none'),
    unknown.text,
  )
  const balancer = await listen('fourth', { loadBalancerConfigurations: [{ loadBalancerResourceId: '/lb' }] })
  unbuilt('a load balancer is not supported', balancer, 'loadBalancerResourceId')
  const absent = await get(listenerOf('fourth'))
  holds('GET of a listener that does not exist is 404', absent.status === 404, absent.text)
  const removed = await call('DELETE', listenerOf('third'))
  holds('DELETE of a listener is 200', removed.status === 200, removed.text)
  holds('a deleted listener is listed no more', isEqual(await list(listeners), ['main', 'second']))
  holds('DELETE of a deleted listener is 204', (await call('DELETE', listenerOf('third'))).status === 204)
  const otherTenantsRead = await (await instance.app.tenant('rival')).fetch(service, group)
  holds('another tenant does not see the group', otherTenantsRead.status === 404, otherTenantsRead.status)

  const { connectionString } = (await call('POST', `${listenerId('main')}/listCredentials?${version}`)).json
  const instances = async () =>
    Promise.all(names.map(async (name) => (await get(machineOf(name))).json.properties.instance))
  const roles = async () => (await instances()).map(({ role }) => role)
  const pair = () => patiently(async () => (await roles()).toSorted().join() === 'Primary,Secondary')
  holds('of two machines one is the primary', await pair(), await roles())
  holds('the probe port is open where the primary is', await until(() => isOpen(probePort)))
  const writer = await startWriter(connectionString, 50)
  const writes = async () => {
    writer.sinceLast()
    return patiently(async () => writer.sinceLast() > 0)
  }
  holds('the listener takes writes', await writes(), writer.errors)
  const before = await roles()
  const handed = await call('POST', `${groupId}/failover?${version}`)
  const areSwapped = await patiently(async () => isEqual(await roles(), before.toReversed()))
  holds('a failover hands over in good order: 202', handed.status === 202 && areSwapped, [before, await roles()])
  holds('the listener follows the primary', await writes(), writer.errors)

  await pair()
  const primary = (await instances()).findIndex(({ role }) => role === 'Primary')
  const { port: killedPort } = (await instances())[primary]
  const { database } = instance.development.node.platform
  const { id } = await database.one<{ id: string }>(
    sql`select id from sql_virtual_machines.instances where port = ${killedPort}`,
  )
  await killAll(foldersOf(join(instance.config.dataDirectory, 'machines'), id).all)
  holds('writes go on after the primary was killed', await writes(), writer.errors)
  holds('then there are a primary and a secondary again', await pair(), await roles())
  await writer.stop()
  const gone = await lost(connectionString, writer)
  holds('no acknowledged row is lost', writer.acknowledged.size > 0 && gone.length === 0, gone)

  for (const name of names) await call('DELETE', machineOf(name))
  const areGone = async () => (await list(`${groupId}/sqlVirtualMachines`)).length === 0
  holds('machines of a group are deleted', await patiently(areGone))
  const deleted = await call('DELETE', group)
  const isGone = await patiently(async () => (await get(group)).status === 404)
  holds('a group without machines is deleted: 202', deleted.status === 202 && isGone, deleted.text)
})
