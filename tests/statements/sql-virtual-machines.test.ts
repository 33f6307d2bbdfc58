import { isDeepStrictEqual as isEqual } from 'node:util'
import pg from 'pg'
import { type Answer, statementsOf, until } from './statements.ts'

const service = 'sql-virtual-machines'
const area = 'Vendor.SqlVirtualMachine'
const version = 'api-version=2017-03-01-preview'
const location = 'westeurope'
const groupOf = (group: string) => `/subscriptions/mine/resourceGroups/${group}/providers/${area}`
const idOf = (name: string) => `${groupOf('web')}/sqlVirtualMachines/${name}`
const virtualMachineResourceId =
  '/subscriptions/mine/resourceGroups/web/providers/Vendor.Compute/virtualMachines/orders'
const properties = { virtualMachineResourceId, sqlServerLicenseType: 'PAYG', sqlManagement: 'Full' }
const autoPatchingSettings = {
  ...{ enable: true, dayOfWeek: 'Sunday', maintenanceWindowStartingHour: 2, maintenanceWindowDuration: 60 },
}
const autoBackupSettings = {
  ...{ enable: true, retentionPeriod: 5, backupScheduleType: 'Manual' },
  ...{ fullBackupFrequency: 'Daily', fullBackupStartTime: 3, fullBackupWindowHours: 2 },
}
const connectivity = (settings: object) => ({
  serverConfigurationsManagementSettings: { sqlConnectivityUpdateSettings: settings },
})
const login = { sqlAuthUpdateUserName: 'shop', sqlAuthUpdatePassword: 'not to be shown' }

/** Unsupported properties, by the name in their refusal. */
const unbuiltProperties = {
  sqlImageOffer: { sqlImageOffer: 'SQL2019-WS2019' },
  wsfcDomainCredentials: { wsfcDomainCredentials: { sqlServiceAccountPassword: 'x' } },
  keyVaultCredentialSettings: { keyVaultCredentialSettings: { enable: true } },
  storageAccountUrl: { autoBackupSettings: { enable: true, storageAccountUrl: 'https://blobs.example' } },
  logBackupFrequency: { autoBackupSettings: { logBackupFrequency: 5 } },
  backupSystemDbs: { autoBackupSettings: { backupSystemDbs: true } },
  diskConfigurationType: { storageConfigurationSettings: { diskConfigurationType: 'EXTEND' } },
}
/** Invalid properties, by the name in their refusal. */
const wrongProperties = {
  autoBackupSetting: { autoBackupSetting: { enable: true } },
  sqlServerLicenseType: { sqlServerLicenseType: 'FREE' },
  sqlImageSku: { sqlImageSku: 'Gigantic' },
  retentionPeriod: { autoBackupSettings: { retentionPeriod: 31 } },
  dayOfWeek: { autoPatchingSettings: { dayOfWeek: 'Someday' } },
  sqlAuthUpdatePassword: connectivity({ sqlAuthUpdateUserName: 'shop' }),
  'does not exist': { sqlVirtualMachineGroupResourceId: `${groupOf('web')}/sqlVirtualMachineGroups/none` },
}

const codeOf = ({ json }: Answer): string | undefined => json?.error?.code
const namesIn = ({ json }: Answer): string[] => (json?.value ?? []).map(({ name }: { name: string }) => name)

async function query(connectionString: string, text: string): Promise<string> {
  const at = connectionString.replace(/\?.*/, '')
  const client = new pg.Client({ connectionString: at, ssl: { rejectUnauthorized: false } })
  client.on('error', () => {})
  try {
    await client.connect()
    return String(Object.values((await client.query(text)).rows[0] ?? {})[0])
  } catch (error) {
    return `refused: ${(error as Error).message}`
  } finally {
    await client.end().catch(() => {})
  }
}

statementsOf('V', [service], async ({ call: plainly, caller, holds, unbuilt, instance }) => {
  const call = caller(service)
  const of = (name: string, action = '') => `${idOf(name)}${action}?${version}`
  const put = (name: string, body: object) => call('PUT', of(name), body)
  const isGone = (name: string) => until(async () => (await call('GET', of(name))).status === 404)
  const settled = (name: string) =>
    until(async () => {
      const { json } = await call('GET', of(name))
      return ['Succeeded', 'Failed'].includes(json?.properties?.provisioningState) && json
    })
  const { headers: credential } = instance.app.service(service)

  const operationsAt = `/providers/${area}/operations`
  const operations = await call('GET', `${operationsAt}?${version}`)
  for (const kind of ['', 'Groups', 'Groups/availabilityGroupListeners']) {
    const resource = kind === '' ? 'sqlVirtualMachines' : `sqlVirtualMachine${kind}`
    const all = ['read', 'write', 'delete'].map((verb) => `${area}/${resource}/${verb}`)
    const isListed = all.every((name) => namesIn(operations).includes(name))
    holds(`the operations of ${resource} are listed`, isListed, operations.text)
  }
  const unversioned = await call('GET', operationsAt)
  holds('api-version is required', unversioned.status === 400 && codeOf(unversioned) === 'MissingApiVersionParameter')
  const anonymous = await plainly(`/${service}${of('orders')}`)
  holds('a request without a token is 401', anonymous.status === 401 && codeOf(anonymous), anonymous.text)
  const missing = await call('GET', of('orders'))
  holds('GET of what does not exist is 404', missing.status === 404 && codeOf(missing) === 'ResourceNotFound')
  const nothing = await call('DELETE', of('orders'))
  holds('DELETE of what does not exist is 204', nothing.status === 204 && nothing.text === '', nothing.text)
  const unpatched = await call('PATCH', of('orders'), { tags: {} })
  holds('PATCH of what does not exist is 404', unpatched.status === 404, unpatched.text)
  const homeless = await put('orders', {})
  holds('location is required', homeless.status === 400 && homeless.text.includes('location'), homeless.text)

  const created = await put('orders', { location, tags: { a: 'b' }, properties })
  holds('PUT creates a machine: 201', created.status === 201, created.text)
  holds('its id is its path', created.json?.id === idOf('orders'), created.text)
  holds(
    'it has its name and its type',
    created.json?.name === 'orders' && created.json.type === `${area}/sqlVirtualMachines`,
  )
  holds(
    'it has its location and its tags',
    created.json?.location === location && isEqual(created.json.tags, { a: 'b' }),
  )
  for (const [name, value] of Object.entries(properties))
    holds(`it has its ${name}`, created.json?.properties[name] === value, created.text)
  const { sqlImageOffer, sqlImageSku, provisioningState } = created.json?.properties ?? {}
  holds(
    'its image is a Developer one of PostgreSQL by default',
    `${sqlImageOffer} ${sqlImageSku}` === 'PostgreSQL15 Developer',
  )
  holds('it is Creating at first', provisioningState === 'Creating', created.text)
  const pollUrl = created.headers.get('azure-asyncoperation') ?? ''
  holds('the answer says where and when to poll', pollUrl && Number(created.headers.get('retry-after')) > 0, pollUrl)
  const early = await call('POST', of('orders', '/listCredentials'))
  holds('a machine that is Creating has no credentials', early.status === 409, early.text)
  const machine = await settled('orders')
  holds('it becomes Succeeded', machine?.properties.provisioningState === 'Succeeded', machine)
  holds('it is Running', machine?.properties.instance?.state === 'Running', machine)
  const polled = await until(async () => {
    const { json } = await plainly(pollUrl, { headers: credential })
    return json?.status === 'Succeeded' && json
  })
  holds('the operation becomes Succeeded', polled?.endTime >= polled?.startTime, polled)
  const upper = await call('GET', of('ORDERS'))
  holds('names are compared without case', upper.json?.name === 'orders', upper.text)
  const original = await call('GET', of('orders').replace('Vendor.', 'Microsoft.'))
  holds('the original spelling of the provider is answered in it', original.json?.type.startsWith('Microsoft.'))

  const credentials = (await call('POST', of('orders', '/listCredentials'))).json
  const { connectionString } = credentials
  await query(connectionString, 'create table lines as select 7 as number')
  const number = 'select number from lines'
  holds('PostgreSQL connects to it', (await query(connectionString, number)) === '7', credentials)
  const who =
    "select current_database() || ' ' || current_user || ' ' || rolsuper from pg_roles where rolname = current_user"
  holds('its user owns a database, and is no superuser', (await query(connectionString, who)) === 'main machine false')
  const program = await query(connectionString, "copy lines from program 'echo 8'")
  holds('it starts no programs', /^refused: (permission denied|must be superuser)/.test(program), program)
  const file = await query(connectionString, "select pg_read_file('/etc/passwd')")
  holds('it reads no files of the node', file.startsWith('refused: permission denied'), file)
  const wrong = await query(connectionString.replace(credentials.password, 'wrong'), 'select 1')
  holds('another password is refused', wrong.startsWith('refused: password'), wrong)

  const again = await put('orders', { location })
  holds('PUT of what is there is 200', again.status === 200 && isEqual(again.json?.tags, { a: 'b' }), again.text)
  const patched = await call('PATCH', of('orders'), { tags: { c: 'd' } })
  holds('PATCH updates the tags: 200', patched.status === 200 && isEqual(patched.json?.tags, { c: 'd' }), patched.text)
  holds('PATCH leaves all else', isEqual({ ...patched.json, tags: machine?.tags }, machine), patched.text)
  const dropped = await call('PATCH', of('orders'), { tags: {}, properties: { sqlServerLicenseType: 'AHUB' } })
  holds('PATCH of properties is refused by name', dropped.status === 400 && dropped.text.includes('properties'))
  for (const [name, change] of Object.entries({
    location: { location: 'elsewhere' },
    sqlImageSku: { location, properties: { sqlImageSku: 'Enterprise' } },
    port: { location, properties: connectivity({ port: 15_398 }) },
  })) {
    const fixed = await put('orders', change)
    holds(`${name} does not change`, fixed.status === 409 && codeOf(fixed) === 'PropertyChangeNotAllowed', fixed.text)
  }
  for (const [name, given] of Object.entries(wrongProperties)) {
    const refused = await put('refused', { location, properties: given })
    holds(`${name} is refused by name`, refused.status === 400 && refused.text.includes(name), refused.text)
  }
  for (const [name, given] of Object.entries(unbuiltProperties))
    unbuilt(`${name} is not supported`, await put('refused', { location, properties: given }), name)
  unbuilt(
    'identity is not supported',
    await put('refused', { location, identity: { type: 'SystemAssigned' } }),
    'identity',
  )
  holds('what was refused is not there', (await call('GET', of('refused'))).status === 404)

  const settings = { autoBackupSettings, autoPatchingSettings, ...connectivity(login) }
  const set = await put('orders', { location, properties: settings })
  holds('PUT changes the settings: 200', set.status === 200, set.text)
  await settled('orders')
  const expanded = async (expand?: string) =>
    (await call('GET', of('orders') + (expand ? `&$expand=${expand}` : ''))).json?.properties
  const plain = await expanded()
  holds('settings are not shown without $expand', !plain.autoBackupSettings && !plain.autoPatchingSettings, plain)
  const all = await expanded('*')
  holds('$expand shows autoBackupSettings', isEqual(all.autoBackupSettings, autoBackupSettings), all)
  holds('$expand shows autoPatchingSettings', isEqual(all.autoPatchingSettings, autoPatchingSettings), all)
  holds('a password is never shown', !JSON.stringify(all).includes(login.sqlAuthUpdatePassword), all)
  const one = await expanded('autoPatchingSettings')
  holds('$expand shows what it names alone', one.autoPatchingSettings && !one.autoBackupSettings, one)
  const unknown = await call('GET', `${of('orders')}&$expand=nonsense`)
  holds('an unknown $expand is refused', unknown.status === 400 && unknown.text.includes('$expand'), unknown.text)
  const second = connectionString.replace(
    `machine:${credentials.password}`,
    `shop:${encodeURIComponent(login.sqlAuthUpdatePassword)}`,
  )
  holds(
    'sqlAuthUpdateUserName makes a second user',
    await until(async () => (await query(second, 'select current_user')) === 'shop'),
  )
  const restarted = await call('POST', of('orders', '/restart'))
  await settled('orders')
  const isThere = await until(async () => (await query(connectionString, number)) === '7')
  holds('a machine that is started again has its rows', restarted.status === 202 && isThere, restarted.text)

  const ofGroup = await call('GET', `${groupOf('web')}/sqlVirtualMachines?${version}`)
  holds('a resource group lists its machines', isEqual(namesIn(ofGroup), ['orders']), ofGroup.text)
  const ofOther = await call('GET', `${groupOf('other')}/sqlVirtualMachines?${version}`)
  holds('a resource group lists no others', ofOther.status === 200 && isEqual(namesIn(ofOther), []), ofOther.text)
  const ofAll = await call('GET', `/subscriptions/mine/providers/${area}/sqlVirtualMachines?${version}`)
  holds('a subscription lists all of its machines', isEqual(namesIn(ofAll), ['orders']), ofAll.text)
  const otherTenant = (await instance.app.tenant('rival')).service(service)
  const seen = await otherTenant.fetch(of('orders'))
  holds('another tenant does not see it', seen.status === 404, seen.status)
  const given = await otherTenant.fetch(of('orders', '/listCredentials'), { method: 'POST' })
  holds('another tenant does not get its credentials', given.status === 404, given.status)

  await put('brief', { location })
  const creating = await call('DELETE', of('brief'))
  holds('a machine that is Creating can be deleted', creating.status === 202 && (await isGone('brief')), creating.text)
  const deleted = await call('DELETE', of('orders'))
  holds('DELETE is 202', deleted.status === 202 && deleted.headers.get('azure-asyncoperation'), deleted.text)
  holds('a deleted machine is 404', await isGone('orders'))
  holds('it takes no connections any more', (await query(connectionString, number)).startsWith('refused'))
  holds('DELETE of a deleted machine is 204', (await call('DELETE', of('orders'))).status === 204)
})
