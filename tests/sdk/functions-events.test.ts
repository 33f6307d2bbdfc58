import type { v2 } from '@google-cloud/functions'
import { configurationStores } from '@icosa/configuration-stores'
import { at, type FunctionsApp, startFunctions, type Tenant } from '@icosa/functions/testing/app'
import { operating } from '@icosa/platform'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { functionsClient, parent, uploadWith } from './functions-support.ts'

// Functions of the original's client, called for what happens in another service.
let app: FunctionsApp
let acme: Tenant
let client: v2.FunctionServiceClient
beforeAll(async () => {
  const stores = configurationStores({ endpoint: 'http://127.0.0.1/configuration-stores/stores/{name}' })
  app = await startFunctions({}, { worker: { concurrency: 16, background: true }, services: [stores, operating] })
  acme = await app.tenant()
  client = functionsClient(app, acme.key)
})
afterAll(async () => {
  await client.close()
  await app[Symbol.asyncDispose]()
})

const patience = { timeout: 60_000, interval: 200 }

async function deploy(functionId: string, code: string, eventTrigger: object) {
  const source = await uploadWith(client, { 'index.js': `exports.hello = (event) => console.log(${code})\n` })
  const buildConfig = { runtime: 'nodejs24', entryPoint: 'hello', source }
  const [operation] = await client.createFunction({ parent, functionId, function: { buildConfig, eventTrigger } })
  await operation.promise()
}

async function printed(name: string): Promise<string[]> {
  const { lines } = (await acme.listLogs({ params: at(name), query: { pageSize: 100 } })).body
  return lines.filter(({ stream }) => stream === 'stdout').map(({ text }) => text)
}

async function createStore(name: string, key = acme.key): Promise<number> {
  const path = `subscriptions/of-${key.slice(0, 12)}/resourceGroups/shop/providers/Microsoft.AppConfiguration/configurationStores/${name}`
  const response = await fetch(`${app.url}/configuration-stores/${path}?api-version=2019-11-01-preview`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ location: 'westus', sku: { name: 'Standard' } }),
  })
  await response.text()
  return response.status
}

test('a resource created in another service calls a function with a CloudEvent', async () => {
  await deploy('on-create', 'event.specversion, event.type, event.service, event.name, event.data.location', {
    eventType: 'icosa.resource.v1.created',
    eventFilters: [{ attribute: 'service', value: 'configuration-stores' }],
  })
  expect(await createStore('settings')).toBe(201)
  const line = '1.0 icosa.resource.v1.created configuration-stores settings westus'
  await expect.poll(() => printed('on-create'), patience).toEqual([line])
})

test('an entry of the audit log calls a function, by service, method and a path pattern of the resource', async () => {
  const eventFilters = [
    { attribute: 'serviceName', value: 'configuration-stores' },
    { attribute: 'methodName', value: 'ConfigurationStores_Create' },
    { attribute: 'resourceName', value: '/**/configurationStores/audited-*', operator: 'match-path-pattern' },
  ]
  const code = 'event.type, event.methodname, event.data.protoPayload.status.code, event.resourcename.split("/").at(-1)'
  await deploy('on-audit', code, { eventType: 'google.cloud.audit.log.v1.written', eventFilters })
  const [{ eventTrigger }] = await client.getFunction({ name: `${parent}/functions/on-audit` })
  expect(eventTrigger).toMatchObject({ eventType: 'google.cloud.audit.log.v1.written', eventFilters })
  await createStore('quiet')
  await createStore('audited-one', (await app.tenant('other')).key)
  expect(await createStore('audited-two')).toBe(201)
  const line = 'google.cloud.audit.log.v1.written ConfigurationStores_Create 201 audited-two'
  await expect.poll(() => printed('on-audit'), patience).toContain(line)
  expect(new Set(await printed('on-audit'))).toEqual(new Set([line]))
})

test('a filter by an attribute that events of the type lack is refused with those that they have', async () => {
  const eventTrigger = {
    eventType: 'icosa.resource.v1.deleted',
    eventFilters: [{ attribute: 'methodName', value: 'create' }],
  }
  const buildConfig = { runtime: 'nodejs24', source: await uploadWith(client, { 'index.js': '' }) }
  const refused = client.createFunction({ parent, functionId: 'unknown', function: { buildConfig, eventTrigger } })
  await expect(refused).rejects.toMatchObject({ code: 400, message: expect.stringContaining('resourceType') })
})
