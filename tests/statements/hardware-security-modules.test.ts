import { isDeepStrictEqual as isEqual } from 'node:util'
import { type Answer, statementsOf, until } from './statements.ts'

const service = 'hardware-security-modules'
const area = 'Vendor.HardwareSecurityModules'
const version = 'api-version=2018-10-31-preview'
const groupOf = (group: string, subscription = 'mine') =>
  `/subscriptions/${subscription}/resourceGroups/${group}/providers/${area}/dedicatedHSMs`
const all = `/subscriptions/mine/providers/${area}/dedicatedHSMs?${version}`
const idOf = (name: string, group = 'web') => `${groupOf(group)}/${name}`
const of = (name: string, group = 'web') => `${idOf(name, group)}?${version}`
const plain = { location: 'westus', sku: { name: 'SafeNet Luna Network HSM A790' }, properties: {} }
const networkProfile = { subnet: { id: '/networks/one' }, networkInterfaces: [{ privateIpAddress: '10.0.0.4' }] }
const whole = { ...plain, tags: { a: 'b' }, zones: ['1'], properties: { networkProfile, stampId: 'stamp1' } }
const longest = 'longest-of-24-characters'

const namesOf = ({ json }: Answer): string[] => (json?.value ?? []).map(({ name }: { name: string }) => name)
const codeOf = ({ json }: Answer): string | undefined => json?.error?.code

statementsOf('H', [service], async ({ call: plainly, caller, holds, unbuilt, instance }) => {
  const call = caller(service)
  const put = (name: string, body: object = plain, group?: string) => call('PUT', of(name, group), body)
  const get = (name: string, group?: string) => call('GET', of(name, group))
  const ready = (name: string, group?: string) =>
    until(async () => {
      const { json } = await get(name, group)
      return json?.properties?.provisioningState === 'Succeeded' && json
    })
  const isGone = (name: string) => until(async () => (await get(name)).status === 404)
  const { headers: credential } = instance.app.service(service)
  const poll = (url: string | null, isDone: (answer: Answer) => boolean) =>
    until(async () => {
      const answer = await plainly(url ?? '', { headers: credential })
      return isDone(answer) && answer
    })

  const operationsAt = `/providers/${area}/operations`
  const operations = await call('GET', `${operationsAt}?${version}`)
  holds('the operations of the provider are listed', operations.status === 200, operations.text)
  for (const verb of ['read', 'write', 'delete'])
    holds(
      `the operation ${verb} of modules is one of them`,
      namesOf(operations).includes(`${area}/dedicatedHSMs/${verb}`),
      operations.text,
    )
  const unversioned = await call('GET', operationsAt)
  holds('api-version is required', unversioned.status === 400 && codeOf(unversioned) === 'MissingApiVersionParameter')
  const older = await call('GET', `${groupOf('web')}?api-version=1999-01-01`)
  holds('an unknown version is refused', older.status === 400 && codeOf(older) === 'InvalidApiVersionParameter')
  const anonymous = await plainly(`/${service}${of('vault')}`)
  holds('a request without a token is 401', anonymous.status === 401 && codeOf(anonymous), anonymous.text)
  holds('a 401 asks for a bearer token', anonymous.headers.get('www-authenticate')?.startsWith('Bearer'))
  const wrong = await call('GET', of('vault'), undefined, { authorization: 'Bearer wrong' })
  holds('a wrong token is 401', wrong.status === 401 && codeOf(wrong) === 'InvalidAuthenticationToken', wrong.text)

  const empty = await call('GET', `${groupOf('web')}?${version}`)
  holds('a group without modules lists none', empty.status === 200 && isEqual(empty.json.value, []), empty.text)
  const nothing = await call('DELETE', of('vault'))
  holds('DELETE of what does not exist is 204', nothing.status === 204 && nothing.text === '', nothing.text)
  const missing = await get('vault')
  holds('GET of what does not exist is 404', missing.status === 404 && codeOf(missing) === 'ResourceNotFound')
  const unpatched = await call('PATCH', of('vault'), { tags: {} })
  holds('PATCH of what does not exist is 404', unpatched.status === 404, unpatched.text)
  holds('a read makes nothing', isEqual(namesOf(await call('GET', all)), []))

  const created = await put('vault', whole)
  holds('PUT creates a module: 201', created.status === 201, created.text)
  holds('its id is its path', created.json.id === idOf('vault'), created.text)
  holds('it has its name and its type', created.json.name === 'vault' && created.json.type === `${area}/dedicatedHSMs`)
  holds('it has its location and its SKU', created.json.location === 'westus' && isEqual(created.json.sku, plain.sku))
  holds('it has its tags', isEqual(created.json.tags, whole.tags), created.text)
  holds('it has its zones', isEqual(created.json.zones, whole.zones), created.text)
  holds('it has its stamp', created.json.properties.stampId === 'stamp1', created.text)
  holds('it has its network profile', isEqual(created.json.properties.networkProfile, networkProfile), created.text)
  holds('it is Provisioning at first', created.json.properties.provisioningState === 'Provisioning', created.text)
  const pollUrl = created.headers.get('azure-asyncoperation')
  holds('the answer says where to poll', pollUrl?.includes('/operationStatuses/'), pollUrl)
  holds('the answer says when to poll', Number(created.headers.get('retry-after')) > 0)
  const succeeded = await poll(pollUrl, ({ json }) => json?.status === 'Succeeded')
  holds('the operation becomes Succeeded', succeeded?.json.endTime >= succeeded?.json.startTime, succeeded?.text)
  const result = await poll(created.headers.get('location'), ({ status }) => status !== 202)
  holds('the result of the operation is the module', result?.json?.name === 'vault', result?.text)

  const vault = await ready('vault')
  holds('the module becomes Succeeded', vault)
  holds('it says that it works', vault?.properties.statusMessage.includes('functional'), vault)
  holds('it has an endpoint for its keys', vault?.properties.endpoint.startsWith('http'), vault)
  const upper = await call('GET', `${groupOf('WEB')}/VAULT?${version}`)
  holds('names are compared without case', upper.json?.name === 'vault', upper.text)
  const original = await call('GET', of('vault').replace('Vendor.', 'Microsoft.'))
  holds('the original spelling of the provider is answered in it', original.json?.type.startsWith('Microsoft.'))
  const later = await call('GET', `${idOf('vault')}?api-version=2021-11-30`)
  holds('a later version of the API is answered', later.json?.name === 'vault', later.text)

  const again = await put('vault', whole)
  holds('PUT of the same is 200', again.status === 200, again.text)
  holds('PUT of the same changes nothing', isEqual(again.json, vault), again.text)
  const replaced = await put('vault', { ...whole, tags: { a: 'c' } })
  holds('PUT changes tags: 200', replaced.status === 200 && isEqual(replaced.json.tags, { a: 'c' }), replaced.text)
  const patched = await call('PATCH', of('vault'), { tags: { x: 'y' } })
  holds('PATCH replaces the tags: 200', patched.status === 200 && isEqual(patched.json.tags, { x: 'y' }), patched.text)
  const { json: afterPatch } = await get('vault')
  holds('PATCH is kept', isEqual(afterPatch.tags, { x: 'y' }), afterPatch)
  holds('PATCH leaves all else', isEqual({ ...afterPatch, tags: vault?.tags }, vault), afterPatch)
  const untouched = await call('PATCH', of('vault'), {})
  holds('PATCH without tags leaves them', isEqual(untouched.json?.tags, { x: 'y' }), untouched.text)
  const dropped = await call('PATCH', of('vault'), { tags: {}, properties: { stampId: 'stamp2' } })
  holds('PATCH of properties is refused by name', dropped.status === 400 && dropped.text.includes('properties'))
  const moved = await put('vault', { ...whole, location: 'eastus' })
  holds('a module does not move', moved.status === 409 && codeOf(moved) === 'InvalidResourceLocation', moved.text)

  const { location: _, ...homeless } = plain
  const unplaced = await put('other', homeless)
  holds('location is required', unplaced.status === 400 && unplaced.text.includes('location'), unplaced.text)
  const { sku: __, ...unsized } = plain
  const skuless = await put('other', unsized)
  holds('sku is required', skuless.status === 400 && skuless.text.includes('sku'), skuless.text)
  const strange = await put('other', { ...plain, sku: { name: 'Unknown' } })
  holds('an unknown SKU is refused', strange.status === 400 && strange.text.includes('sku'), strange.text)
  const misspelt = await put('other', { ...plain, properties: { nonsense: 1 } })
  holds('an unknown property is refused by name', misspelt.status === 400 && misspelt.text.includes('nonsense'))
  const tagged = await put('other', { ...plain, tags: { a: 1 } })
  holds('a tag that is no text is refused', tagged.status === 400 && tagged.text.includes('tags'), tagged.text)
  const broken = await plainly(`/${service}${of('other')}`, {
    ...{ method: 'PUT', headers: { ...credential, 'content-type': 'application/json' }, body: '{' },
  })
  holds('a body that is no JSON is 400', broken.status === 400 && codeOf(broken), broken.text)
  for (const [name, why] of [
    ['ab', 'two characters'],
    ['x'.repeat(25), '25 characters'],
    ['with_underscore', 'an underscore'],
  ] as const) {
    const refused = await put(name)
    holds(`a name with ${why} is refused`, refused.status === 400 && refused.text.includes('3 to 24'), refused.text)
  }
  const payShield = await put('other', { ...plain, sku: { name: 'payShield10K_LMK1_CPS60' } })
  unbuilt('payment modules are not supported', payShield, 'payShield10K')
  const managed = await put('other', { ...plain, properties: { managementNetworkProfile: networkProfile } })
  unbuilt('a second network is not supported', managed, 'managementNetworkProfile')
  holds('what was refused is not there', (await get('other')).status === 404)

  const shortest = await put('abc')
  holds('a name may have 3 characters', shortest.status === 201, shortest.text)
  const long = await put(longest, plain, 'other')
  holds('a name may have 24 characters', long.status === 201, long.text)
  await put('third')
  const ofGroup = await call('GET', `${groupOf('web')}?${version}`)
  holds('a group lists its modules', isEqual(namesOf(ofGroup), ['abc', 'third', 'vault']), namesOf(ofGroup))
  const ofOther = await call('GET', `${groupOf('other')}?${version}`)
  holds('a group lists no others', isEqual(namesOf(ofOther), [longest]), namesOf(ofOther))
  const ofAll = await call('GET', all)
  holds('a subscription lists all of its modules', namesOf(ofAll).length === 4, namesOf(ofAll))
  const listed = ofAll.json.value.find(({ name }: { name: string }) => name === 'vault')
  holds('a listed module is whole', isEqual(listed, afterPatch), listed)
  const two = await call('GET', `${all}&$top=2`)
  holds('$top of a subscription is the maximum', namesOf(two).length === 2 && !two.json.nextLink, two.text)
  const one = await call('GET', `${groupOf('web')}?${version}&$top=1`)
  holds('$top of a group is the maximum', isEqual(namesOf(one), ['abc']) && !one.json.nextLink, one.text)
  const many = await call('GET', `${all}&$top=1000`)
  holds('$top may be more than there are', namesOf(many).length === 4, namesOf(many))
  for (const top of ['0', '-1', '1.5', 'x']) {
    const refused = await call('GET', `${all}&$top=${top}`)
    holds(`$top ${top} is refused`, refused.status === 400 && refused.text.includes('$top'), refused.text)
  }

  const otherTenant = (await instance.app.tenant('rival')).service(service)
  const strangersRead = await otherTenant.fetch(of('vault'))
  holds('another tenant does not read it', strangersRead.status === 404, strangersRead.status)
  const strangersDelete = await otherTenant.fetch(of('vault'), { method: 'DELETE' })
  holds('another tenant does not delete it', strangersDelete.status === 404, strangersDelete.status)
  const reader = (await instance.app.tenant('dev', [`${service}:DedicatedHsm_Get`])).service(service)
  const forbidden = await reader.fetch(of('vault'), { method: 'DELETE' })
  holds('a token without the permission is 403', forbidden.status === 403, forbidden.status)
  const posted = await call('POST', of('vault'), {})
  holds('POST to a module is not an operation', posted.status === 405 && codeOf(posted), posted.text)

  await ready('abc')
  const deleted = await call('DELETE', of('abc'))
  holds('DELETE is 202', deleted.status === 202 && deleted.text === '', deleted.text)
  const deletion = await poll(deleted.headers.get('azure-asyncoperation'), ({ json }) => json?.status === 'Succeeded')
  holds('the deletion becomes Succeeded', deletion)
  holds('a deleted module is 404', await isGone('abc'))
  holds('DELETE of a deleted module is 204', (await call('DELETE', of('abc'))).status === 204)
  await put('brief')
  const early = await call('DELETE', of('brief'))
  holds('a module that is Provisioning can be deleted', early.status === 202 && (await isGone('brief')), early.text)
  holds('deleted modules are not listed', isEqual(namesOf(await call('GET', all)).sort(), [longest, 'third', 'vault']))
})
