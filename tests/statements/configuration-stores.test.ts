import { type Answer, statementsOf, until } from './statements.ts'

const subscription = '/subscriptions/mine'
const provider = 'providers/Vendor.AppConfiguration'
const version = 'api-version=2019-11-01-preview'
const laterVersion = 'api-version=2022-05-01'
const stores = `${subscription}/resourceGroups/web/${provider}/configurationStores`
const id = `${stores}/settings`
const at = (path = '', asked = version) => `${id}${path}?${asked}`

statementsOf('C', ['configuration-stores', 'hardware-security-modules'], async ({ call: plain, caller, holds }) => {
  const call = caller('configuration-stores')
  const ready = () =>
    until(async () => {
      const { json } = await call('GET', at())
      return json?.properties?.provisioningState === 'Succeeded' && json.properties
    })
  const nameIsFree = async () => {
    const asked = { name: 'settings', type: 'Vendor.AppConfiguration/configurationStores' }
    return (await call('POST', `${subscription}/${provider}/checkNameAvailability?${version}`, asked)).json
  }
  const isDone = ({ status }: Answer) => [200, 201, 202].includes(status)
  const change = async (properties: object) => {
    const changed = await call('PATCH', at('', laterVersion), { properties })
    await ready()
    return changed
  }

  const free = await nameIsFree()
  await call('PUT', at(), { location: 'here', sku: { name: 'Standard' } })
  const availability = await nameIsFree()
  holds(
    'a name is free, and then taken',
    free.nameAvailable === true && availability.nameAvailable === false && availability.reason,
    availability,
  )
  holds('a store gets an endpoint', (await ready())?.endpoint)
  const keys = async () =>
    (await call('POST', at('/ListKeys'))).json.value as { id: string; value: string; readOnly: boolean }[]
  const first = await keys()
  holds(
    'it has four keys, two of which only read',
    first.length === 4 && first.filter(({ readOnly }) => readOnly).length === 2,
  )

  const data = '/configuration-stores/stores/settings/kv/color?label=l&api-version=1.0'
  const bearer = { authorization: 'Bearer icosa-dev-key' }
  await plain(data, { method: 'PUT', headers: bearer, json: { value: 'red' } })
  const color = () => plain(data, { headers: bearer })
  holds('a value is written and read', (await color()).json.value === 'red')
  const listed = await call('POST', at('/listKeyValue'), { key: 'color', label: 'l' })
  holds('listKeyValue shows it', listed.json.value === 'red', listed.text)
  const [key] = first.filter(({ readOnly }) => !readOnly)
  const regenerated = await call('POST', at('/RegenerateKey'), { id: key?.id })
  holds('a key is made anew', regenerated.status === 200 && regenerated.json.value !== key?.value, regenerated.text)

  const disabled = await change({ disableLocalAuth: true })
  const shown = await call('GET', at('', laterVersion))
  holds('disableLocalAuth is kept', isDone(disabled) && shown.json.properties.disableLocalAuth === true, shown.text)
  await change({ disableLocalAuth: false })
  await change({ publicNetworkAccess: 'Disabled' })
  const closed = await until(async () => (await color()).status === 403)
  holds('without public access its values are 403', closed)
  await change({ publicNetworkAccess: 'Enabled' })
  holds('with it they are there', await until(async () => (await color()).json?.value === 'red'))

  const modules = caller('hardware-security-modules')
  const module = `${subscription}/resourceGroups/a/providers/Vendor.HardwareSecurityModules/dedicatedHSMs/vault?api-version=2018-10-31-preview`
  await modules('PUT', module, { location: 'here', sku: { name: 'SafeNet Luna Network HSM A790' }, properties: {} })
  const endpoint = await until(async () => {
    const { properties } = (await modules('GET', module)).json ?? {}
    return properties?.provisioningState === 'Succeeded' && properties.endpoint
  })
  const ofModule = (method: string, json: object) => plain(`${endpoint}/keys/cmk`, { method, headers: bearer, json })
  await ofModule('PUT', { type: 'AES', size: 256 })
  const encrypted = await change({ encryption: { keyVaultProperties: { keyIdentifier: `${endpoint}/keys/cmk` } } })
  holds('a key of a module encrypts it', isDone(encrypted) && (await color()).json?.value === 'red', encrypted.text)
  await ofModule('PATCH', { access: [{ caller: 'none', operations: ['encrypt'] }] })
  holds('without access to the key its values are 403', await until(async () => (await color()).status === 403))
  await ofModule('PATCH', { access: [{ caller: '*', operations: ['encrypt', 'decrypt'] }] })
  await until(async () => (await color()).status === 200)

  const connection = {
    privateEndpoint: { id: '/x/y' },
    privateLinkServiceConnectionState: { status: 'Pending', description: 'd' },
  }
  const connections = await call('GET', at('/privateEndpointConnections'))
  const missing = await call('DELETE', at('/privateEndpointConnections/none'))
  const linked = await call('PUT', at('/privateEndpointConnections/own'), { properties: connection })
  const read = await call('GET', at('/privateEndpointConnections/own'))
  const unlinked = await call('DELETE', at('/privateEndpointConnections/own'))
  const areKept = isDone(linked) && read.status === 200 && isDone(unlinked)
  holds(
    'private connections are made, read and deleted',
    areKept && connections.status === 200 && missing.status === 204,
    linked.text,
  )
  const links = await call('GET', at('/privateLinkResources'))
  const link = await call('GET', at('/privateLinkResources/configurationStores'))
  holds('its link resources are listed', links.status === 200 && link.status === 200, links.text)
  const operations = await call('GET', `/${provider}/operations?${version}`)
  const ofGroup = await call('GET', `${stores}?${version}`)
  const ofAll = await call('GET', `${subscription}/${provider}/configurationStores?${version}`)
  const areListed = operations.status === 200 && ofGroup.json.value.length === 1 && ofAll.json.value.length === 1
  holds('stores and operations are listed', areListed, ofAll.text)
  holds('PATCH sets tags', isDone(await call('PATCH', at(), { tags: { a: 'b' } })))
  await ready()
  const removed = await call('DELETE', at())
  await until(async () => (await call('GET', at())).status === 404)
  const again = await call('DELETE', at())
  holds('DELETE removes it, and is 204 afterwards', isDone(removed) && again.status === 204, removed.text)
})
