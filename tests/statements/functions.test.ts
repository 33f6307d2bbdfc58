import { isDeepStrictEqual as isEqual } from 'node:util'
import { zipOf } from '@icosa/functions/testing/app'
import { type Answer, statementsOf, until } from './statements.ts'

const parent = 'projects/shop/locations/here'
const nameOf = (id: string) => `${parent}/functions/${id}`
const source = zipOf({
  'index.js': "exports.hello = (request, response) => response.send('hello ' + process.env.COLOR)\n",
})
const serviceConfig = {
  environmentVariables: { COLOR: 'blue' },
  availableMemory: '512M',
  availableCpu: '1',
  timeoutSeconds: 5,
  maxInstanceCount: 2,
  minInstanceCount: 0,
  maxInstanceRequestConcurrency: 4,
  ingressSettings: 'ALLOW_ALL',
  securityLevel: 'SECURE_OPTIONAL',
}
const defaults = {
  environmentVariables: {},
  availableMemory: '256M',
  availableCpu: '0.1666',
  timeoutSeconds: 60,
  maxInstanceCount: 100,
  minInstanceCount: 0,
  maxInstanceRequestConcurrency: 1,
  ingressSettings: 'ALLOW_ALL',
  securityLevel: 'SECURE_OPTIONAL',
  allTrafficOnLatestRevision: true,
}
const eventType = 'google.cloud.pubsub.topic.v1.messagePublished'
const pubsubTopic = 'projects/shop/topics/orders'
const kmsKeyName = 'projects/p/locations/l/keyRings/r/cryptoKeys/k'

/** Unsupported fields of a function, by the name in their refusal. */
const unbuiltFields: Readonly<Record<string, Record<string, object | string>>> = {
  GEN_1: { environment: 'GEN_1' },
  kmsKeyName: { kmsKeyName },
  'buildConfig.environmentVariables': { buildConfig: { environmentVariables: { A: 'b' } } },
  dockerRegistry: { buildConfig: { dockerRegistry: 'ARTIFACT_REGISTRY' } },
  dockerRepository: { buildConfig: { dockerRepository: 'projects/p/locations/l/repositories/r' } },
  workerPool: { buildConfig: { workerPool: 'projects/p/locations/l/workerPools/w' } },
  allTrafficOnLatestRevision: { serviceConfig: { allTrafficOnLatestRevision: false } },
  ALLOW_INTERNAL_AND_GCLB: { serviceConfig: { ingressSettings: 'ALLOW_INTERNAL_AND_GCLB' } },
  serviceAccountEmail: { serviceConfig: { serviceAccountEmail: 'a@example.com' } },
  vpcConnector: { serviceConfig: { vpcConnector: 'c' } },
  vpcConnectorEgressSettings: { serviceConfig: { vpcConnectorEgressSettings: 'ALL_TRAFFIC' } },
  secretVolumes: { serviceConfig: { secretVolumes: [{ mountPath: '/s', secret: 's' }] } },
  'eventTrigger.channel': { eventTrigger: { eventType, pubsubTopic, channel: 'projects/p/locations/l/channels/c' } },
  'google.cloud.storage.object.v1.finalized': {
    eventTrigger: { eventType: 'google.cloud.storage.object.v1.finalized', pubsubTopic },
  },
}
const invoker = (...members: string[]) => ({ role: 'roles/cloudfunctions.invoker', members })

statementsOf('G', ['functions'], async ({ call: plainly, caller, holds, unbuilt, instance }) => {
  const call = caller('functions')
  const get = (path: string, query: Readonly<Record<string, string>> = {}) =>
    call('GET', `/v2/${path}?${new URLSearchParams(query)}`)
  const post = (path: string, body: object = {}) => call('POST', `/v2/${path}`, body)
  const isRefused = ({ status, json }: Answer, code: number, canonical: string) =>
    status === code && json?.error?.code === code && json.error.status === canonical
  const isInvalid = (answer: Answer, word = '') =>
    isRefused(answer, 400, 'INVALID_ARGUMENT') && answer.text.includes(word)
  const ended = ({ json }: Answer) =>
    until(async () => {
      const { json: operation } = await get(String(json?.name))
      return operation?.done === true && operation
    })
  const upload = () => post(`${parent}/functions:generateUploadUrl`)
  const send = (url: string, headers: Readonly<Record<string, string>> = { 'content-type': 'application/zip' }) =>
    plainly(url, { method: 'PUT', headers, body: new Uint8Array(source) })
  const uploaded = await upload()
  const { storageSource, uploadUrl } = uploaded.json
  const buildConfig = { runtime: 'nodejs24', entryPoint: 'hello', source: { storageSource } }
  const create = (id: string, body: Record<string, unknown> = {}) =>
    post(`${parent}/functions?functionId=${id}`, {
      ...body,
      buildConfig: { ...buildConfig, ...Object(body.buildConfig) },
    })
  const patch = (id: string, body: object, mask?: string) =>
    call('PATCH', `/v2/${nameOf(id)}${mask === undefined ? '' : `?updateMask=${mask}`}`, body)
  const namesIn = ({ json }: Answer): string[] => (json?.functions ?? []).map(({ name }: { name: string }) => name)

  const anonymous = await plainly(`/functions/v2/${parent}/functions`)
  holds('a request without a token is 401', isRefused(anonymous, 401, 'UNAUTHENTICATED'), anonymous.text)
  const empty = await get(`${parent}/functions`)
  holds('a location without functions lists none', isEqual(empty.json, { functions: [], unreachable: [] }), empty.text)
  const runtimes = await get(`${parent}/runtimes`)
  const node = runtimes.json.runtimes.find(({ name }: { name: string }) => name === 'nodejs24')
  holds('the runtimes are listed', node?.stage === 'GA' && node.environment === 'GEN_2' && node.displayName)
  const second = await get(`${parent}/runtimes`, { filter: 'environment=GEN_2' })
  holds('runtimes are filtered: all are of GEN_2', isEqual(second.json, runtimes.json), second.text)
  const first = await get(`${parent}/runtimes`, { filter: 'environment=GEN_1' })
  holds('runtimes are filtered: none is of GEN_1', isEqual(first.json.runtimes, []), first.text)

  const { bucket, object } = storageSource
  holds('generateUploadUrl says where the source will be', bucket && object && uploaded.status === 200, uploaded.text)
  const sent = await send(uploadUrl)
  holds('a zip is PUT to the upload URL without Authorization', sent.status === 200, sent.text)
  const text = await send(uploadUrl, { 'content-type': 'text/plain' })
  holds('another content-type than application/zip is refused', text.status === 415, text.text)
  const altered = await send(uploadUrl.replace(/signature=../, 'signature=__'))
  holds('an upload URL with another signature is refused', altered.status === 403, altered.text)
  const sealed = await post(`${parent}/functions:generateUploadUrl`, { kmsKeyName })
  unbuilt('kmsKeyName of generateUploadUrl is not supported', sealed, 'kmsKeyName')

  const creation = { description: 'says hello', environment: 'GEN_2', labels: { team: 'red' }, serviceConfig }
  const created = await create('hello', creation)
  const { name, done, metadata } = created.json
  holds('create answers an operation', created.status === 200 && name.startsWith(`${parent}/operations/`), created.text)
  holds('the operation is not done at first', done === false && !created.json.response, created.text)
  holds('its metadata name the function', metadata?.target === nameOf('hello') && metadata.verb === 'create', metadata)
  const during = await get(nameOf('hello'))
  holds('the function is DEPLOYING', during.json?.state === 'DEPLOYING', during.text)
  const busy = await patch('hello', { description: 'other' })
  holds('a change while another goes on is ABORTED', isRefused(busy, 409, 'ABORTED'), busy.text)
  const operation = await ended(created)
  holds('the operation is done, without an error', operation && !operation.error, operation)
  const { '@type': type, ...response } = operation?.response ?? {}
  holds('its response is the function', /functions\.v2\.Function$/.test(type), operation)
  const { json: hello } = await get(nameOf('hello'))
  holds('the function is as the response says', isEqual(response, hello), hello)
  holds('its name is projects/*/locations/*/functions/*', hello.name === nameOf('hello'), hello)
  holds('its state is ACTIVE', hello.state === 'ACTIVE' && !hello.stateMessages, hello)
  holds('its description is kept', hello.description === 'says hello', hello)
  holds('its environment is GEN_2', hello.environment === 'GEN_2', hello)
  holds('its labels are kept', isEqual(hello.labels, { team: 'red' }), hello)
  holds('its updateTime is a time', !Number.isNaN(Date.parse(hello.updateTime)), hello)
  const { runtime, entryPoint, sourceProvenance } = hello.buildConfig
  holds('its runtime and entry point are kept', runtime === 'nodejs24' && entryPoint === 'hello', hello.buildConfig)
  holds('its provenance is shown', sourceProvenance?.resolvedStorageSource.object, hello.buildConfig)
  for (const [field, value] of Object.entries(serviceConfig))
    holds(`serviceConfig.${field} is kept`, isEqual(hello.serviceConfig[field], value), hello.serviceConfig)
  const { uri, revision, service } = hello.serviceConfig
  holds('its revision is named after it', /^hello-00001-/.test(revision), revision)
  holds('its service is named after it', service.endsWith('/services/hello'), service)
  const { headers: bearer } = instance.app.service('functions')
  const invoke = async (headers: Readonly<Record<string, string>> = bearer) => plainly(uri, { headers })
  const reply = await invoke()
  holds('its uri calls it', reply.status === 200 && reply.text === 'hello blue', reply.text)
  const uncalled = await invoke({})
  holds('a call without a credential is refused', uncalled.status === 401 && !uncalled.text.includes('blue'))

  const again = await ended(await create('hello'))
  holds('to create what exists is ALREADY_EXISTS in the operation', again?.error?.code === 6, again)
  holds('what exists stays', isEqual((await get(nameOf('hello'))).json, hello))
  for (const [id, why] of Object.entries({
    abc: 'three characters',
    ['a'.repeat(64)]: '64 characters',
    Hello: 'a capital',
    a_bcd: 'an underscore',
    'abcd-': 'a hyphen at its end',
  }))
    holds(`a functionId with ${why} is refused`, isInvalid(await create(id), 'functionId'))
  const plain = await ended(await create('four'))
  holds('a functionId may have four characters', plain?.response?.name === nameOf('four'), plain)
  for (const [field, value] of Object.entries(defaults))
    holds(`${field} has a default`, isEqual(plain?.response.serviceConfig[field], value), plain?.response.serviceConfig)
  const unsentSource = { storageSource: (await upload()).json.storageSource }
  const long = await create('a'.repeat(63), { buildConfig: { source: unsentSource } })
  holds('a functionId may have 63 characters', long.json?.metadata?.target === nameOf('a'.repeat(63)), long.text)
  const unsent = await ended(long)
  holds('a source that was not sent fails the operation', unsent?.error?.message.includes('uploaded'), unsent)
  const { json: failed } = await get(nameOf('a'.repeat(63)))
  const [stateMessage] = failed.stateMessages ?? []
  const isTold = stateMessage?.severity === 'ERROR' && stateMessage.type && stateMessage.message
  holds('the state is FAILED, and stateMessages say why', failed.state === 'FAILED' && isTold, failed)
  holds('an unknown runtime is refused', isInvalid(await create('cobol', { buildConfig: { runtime: 'cobol85' } })))
  const sourceless = await post(`${parent}/functions?functionId=none`, { buildConfig: { runtime: 'nodejs24' } })
  holds('a source is required', isInvalid(sourceless, 'source'), sourceless.text)
  const elsewhere = await create('none', { buildConfig: { source: { storageSource: { bucket: 'b', object: 'o' } } } })
  holds('an unknown source is refused', isInvalid(elsewhere, 'storageSource'), elsewhere.text)
  const misspelt = await create('none', { descripton: 'x' })
  holds('an unknown field is refused by name', isInvalid(misspelt, 'descripton'), misspelt.text)
  for (const [field, body] of Object.entries(unbuiltFields))
    unbuilt(`${field} is not supported`, await create('none', body), field)
  holds('what was refused is not there', isRefused(await get(nameOf('none')), 404, 'NOT_FOUND'))

  const masked = await ended(await patch('hello', { labels: { team: 'blue' }, description: 'unnamed' }, 'labels'))
  holds('updateMask names what is updated', isEqual(masked?.response?.labels, { team: 'blue' }), masked)
  holds('what updateMask does not name stays', masked?.response?.description === 'says hello', masked)
  const unmasked = await ended(await patch('hello', { description: 'all provided' }))
  holds('without updateMask all provided fields are updated', unmasked?.response?.description === 'all provided')
  holds('what is not provided stays', isEqual(unmasked?.response?.labels, { team: 'blue' }), unmasked)
  holds('an unknown field in updateMask is refused', isInvalid(await patch('hello', {}, 'nonsense'), 'nonsense'))
  const red = { serviceConfig: { environmentVariables: { COLOR: 'red' } } }
  const changed = await ended(await patch('hello', red, 'serviceConfig.environmentVariables'))
  holds('a change makes a new revision', changed?.response?.serviceConfig.revision !== revision, changed)
  holds('a change of one setting leaves the others', changed?.response?.serviceConfig.timeoutSeconds === 5, changed)
  holds('the new revision is called', await until(async () => (await invoke()).text === 'hello red'))
  holds('PATCH of what does not exist is NOT_FOUND', isRefused(await patch('nope', {}), 404, 'NOT_FOUND'))

  const filter = 'project:shop,location:here,function:hello'
  const operations = (query: Readonly<Record<string, string>>) => get(`${parent}/operations`, query)
  const verbs = ({ json }: Answer) => json.operations.map((operation: Answer['json']) => operation.metadata.verb).join()
  const all = await operations({ filter })
  holds('the operations of a function are listed', verbs(all) === 'update,update,update,create,create', all.text)
  const page = await operations({ filter, pageSize: '3' })
  const rest = await operations({ filter, pageSize: '3', pageToken: page.json.nextPageToken })
  holds('they are listed page by page', `${verbs(page)},${verbs(rest)}` === verbs(all), [page.text, rest.text])
  holds('the last page has no token', page.json.nextPageToken && rest.json.nextPageToken === undefined, rest.text)
  const latest = await operations({ filter: 'project:shop,latest:true', pageSize: '2' })
  const isOnePage = latest.json.operations.length === 2 && latest.json.nextPageToken === undefined
  holds('the latest operations of a project are listed without paging', isOnePage, latest.text)
  const paged = await operations({ filter: 'project:shop,latest:true', pageToken: page.json.nextPageToken })
  holds('a token does not go with the latest operations', isInvalid(paged, 'pageToken'), paged.text)
  holds('another filter is refused', isInvalid(await operations({ filter: 'nonsense' }), 'project:p'))
  const unknown = await get(`${parent}/operations/nope`)
  holds('an unknown operation is NOT_FOUND', isRefused(unknown, 404, 'NOT_FOUND'), unknown.text)
  for (let count = 0; count < 100; count++) await create('hello')
  const counts = (await Promise.all([operations({ filter }), operations({ filter, pageSize: '500' })])).map(
    ({ json }) => json.operations.length,
  )
  holds('a page has 100 operations by default, and no more if more are asked for', isEqual(counts, [100, 100]), counts)

  const everywhere = await get('projects/shop/locations/-/functions', { orderBy: 'name' })
  const names = [nameOf('a'.repeat(63)), nameOf('four'), nameOf('hello')]
  holds('a dash lists the functions of all locations', isEqual(namesIn(everywhere), names), namesIn(everywhere))
  holds('all locations were reached', isEqual(everywhere.json.unreachable, []), everywhere.text)
  const list = async (query: Readonly<Record<string, string>>) => namesIn(await get(`${parent}/functions`, query))
  holds('orderBy orders, descending if asked for', isEqual(await list({ orderBy: 'name desc' }), names.toReversed()))
  holds('order is ascending by default', isEqual(await list({ orderBy: 'createTime' }), [names[2], names[1], names[0]]))
  holds('a filter finds by state', isEqual(await list({ filter: 'state=FAILED' }), [names[0]]))
  holds('a filter finds by label', isEqual(await list({ filter: 'labels.team=blue' }), [names[2]]))
  holds('pageSize beyond 1000 becomes 1000', (await list({ pageSize: '5000' })).length === 3)
  const two = await get(`${parent}/functions`, { pageSize: '2' })
  const third = await get(`${parent}/functions`, { pageSize: '2', pageToken: two.json.nextPageToken })
  const walked = [...namesIn(two), ...namesIn(third)]
  holds('functions are listed page by page', namesIn(two).length === 2 && isEqual(walked, names), walked)
  holds('a negative pageSize is refused', isInvalid(await get(`${parent}/functions`, { pageSize: '-1' }), 'pageSize'))
  holds('an unknown order is refused', isInvalid(await get(`${parent}/functions`, { orderBy: 'size' }), 'size'))
  const { json: places } = await get('projects/shop/locations', { filter: 'locationId=here' })
  const location = { name: parent, locationId: 'here', displayName: 'here' }
  holds('the locations are listed, by a filter', isEqual(places.locations, [location]), places)
  const other = await get('projects/shop/locations', { pageToken: 'x' })
  holds('a token that is none of the list is refused', isInvalid(other, 'pageToken'), other.text)

  const policyOf = (query: Readonly<Record<string, string>> = {}) => get(`${nameOf('hello')}:getIamPolicy`, query)
  const setPolicy = (policy: object, id = 'hello') => post(`${nameOf(id)}:setIamPolicy`, { policy })
  const { json: none } = await policyOf()
  holds('a function has a policy without bindings at first', none.etag && !none.bindings, none)
  for (const [version, status] of Object.entries({ 0: 200, 1: 200, 2: 400, 3: 200 })) {
    const policy = await policyOf({ 'options.requestedPolicyVersion': version })
    holds(`requestedPolicyVersion ${version} is ${status}`, policy.status === status, policy.text)
  }
  const open = await setPolicy({ bindings: [invoker('allUsers')], etag: none.etag })
  holds('setIamPolicy answers the policy', isEqual(open.json?.bindings, [invoker('allUsers')]), open.text)
  holds('getIamPolicy answers what was set', isEqual((await policyOf()).json, open.json))
  holds('anybody may call then', await until(async () => (await invoke({})).text === 'hello red'))
  const stale = await setPolicy({ bindings: [], etag: none.etag })
  holds('a policy that has changed since is not replaced', isRefused(stale, 409, 'ABORTED'), stale.text)
  const nobody = await setPolicy({ bindings: [invoker('nonsense')] })
  holds('an invalid member is INVALID_ARGUMENT', isInvalid(nobody, 'nonsense'), nobody.text)
  holds('a policy of what does not exist is NOT_FOUND', isRefused(await setPolicy({}, 'nope'), 404, 'NOT_FOUND'))
  const reader = (await instance.app.tenant('dev', ['functions:get*', 'functions:test*'])).service('functions')
  const denied = await plainly(`${reader.url}/v2/${nameOf('hello')}:setIamPolicy`, {
    ...{ method: 'POST', headers: reader.headers, json: { policy: {} } },
  })
  holds('setIamPolicy without the permission is PERMISSION_DENIED', isRefused(denied, 403, 'PERMISSION_DENIED'))
  const permissions = ['cloudfunctions.functions.get', 'cloudfunctions.functions.delete']
  const tested = await post(`${nameOf('hello')}:testIamPermissions`, { permissions })
  holds('testIamPermissions answers those that the caller has', isEqual(tested.json, { permissions }), tested.text)
  const testedByReader = await plainly(`${reader.url}/v2/${nameOf('hello')}:testIamPermissions`, {
    ...{ method: 'POST', headers: reader.headers, json: { permissions } },
  })
  holds('and leaves out those it has not', isEqual(testedByReader.json?.permissions, permissions.slice(0, 1)))
  const audited = await setPolicy({ auditConfigs: [{ service: 'allServices' }] })
  unbuilt('auditConfigs are not supported', audited, 'auditConfigs')
  const conditional = { ...invoker('allUsers'), condition: { expression: 'true', title: 't' } }
  unbuilt(
    'conditional bindings are not supported',
    await setPolicy({ version: 3, bindings: [conditional] }),
    'condition',
  )
  const viewer = { role: 'roles/cloudfunctions.viewer', members: ['allUsers'] }
  unbuilt('other roles are not supported', await setPolicy({ bindings: [viewer] }), 'roles/cloudfunctions.viewer')

  const { downloadUrl } = (await post(`${nameOf('hello')}:generateDownloadUrl`)).json
  const download = () => plainly(downloadUrl)
  holds('the download URL answers the source that was uploaded', (await download()).bytes.equals(source))
  const undone = await post(`${nameOf('nope')}:generateDownloadUrl`)
  holds('the source of what does not exist is NOT_FOUND', isRefused(undone, 404, 'NOT_FOUND'), undone.text)
  const otherTenantsRead = await (await instance.app.tenant('rival')).fetch('functions', `/v2/${nameOf('hello')}`)
  holds('another tenant does not see the function', otherTenantsRead.status === 404, otherTenantsRead.status)
  const atRoot = await plainly(`/v2/${nameOf('hello')}`, { headers: bearer })
  holds('the base path is /v2', atRoot.json?.name === nameOf('hello'), atRoot.text)

  const deleted = await call('DELETE', `/v2/${nameOf('hello')}`)
  holds('delete answers an operation', deleted.json?.metadata?.verb === 'delete', deleted.text)
  const gone = await ended(deleted)
  holds('its response is empty', /protobuf\.Empty$/.test(gone?.response?.['@type']) && !gone.error, gone)
  holds('a deleted function is NOT_FOUND', isRefused(await get(nameOf('hello')), 404, 'NOT_FOUND'))
  holds('its uri answers no more', await until(async () => (await invoke()).status === 404))
  const missing = await call('DELETE', `/v2/${nameOf('hello')}`)
  holds('DELETE of what does not exist is NOT_FOUND', isRefused(missing, 404, 'NOT_FOUND'), missing.text)
  const late = (await post(`${nameOf('four')}:generateDownloadUrl`)).json.downloadUrl
  await instance.app.clock.advance('31m')
  const expired = await plainly(late)
  holds('a download URL is valid for 30 minutes', expired.status === 403 && expired.text.includes('expired'))
  holds('an upload URL is, too', (await send(uploadUrl)).status === 403)
})
