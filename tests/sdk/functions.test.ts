import type { v2 } from '@google-cloud/functions'
import { at, type FunctionsApp, hello, startFunctions } from '@icosa/functions/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { functionsClient, parent, uploadWith } from './functions-support.ts'

// The original's unmodified client over HTTP: upload, create, poll, call, update, policy, delete.
let app: FunctionsApp
let client: v2.FunctionServiceClient
let key = ''
const name = `${parent}/functions/hello`
const patience = { timeout: 20_000, interval: 200 }

beforeAll(async () => {
  app = await startFunctions({}, { worker: { concurrency: 16, background: true } })
  key = await app.key('acme')
  client = functionsClient(app, key)
})
afterAll(async () => {
  await client.close()
  await app[Symbol.asyncDispose]()
})

const uploaded = (files: Readonly<Record<string, string>>) => uploadWith(client, files)

const call = async () => {
  const [{ serviceConfig }] = await client.getFunction({ name })
  const response = await fetch(serviceConfig?.uri ?? '', { headers: { authorization: `Bearer ${key}` } })
  return `${response.status} ${await response.text()}`
}

test('a function is created, called, changed and deleted', async () => {
  const buildConfig = { runtime: 'nodejs24', entryPoint: 'hello', source: await uploaded(hello) }
  const made = { name, environment: 'GEN_2' as const, labels: { team: 'blue' }, buildConfig }
  const [creating] = await client.createFunction({ parent, functionId: 'hello', function: made })
  expect(creating.metadata).toMatchObject({ target: name, verb: 'create' })
  const [created] = await creating.promise()
  // Enums are numbers in the result of an operation: the client found its own class by our type URL.
  expect(created).toMatchObject({ name, state: 1, environment: 2, labels: { team: 'blue' } })
  expect(await call()).toBe('200 hello world')

  const later = await uploaded({ 'index.js': "exports.hello = (request, response) => response.send('later')\n" })
  const [updating] = await client.updateFunction({
    function: { name, labels: { team: 'red' }, buildConfig: { source: later } },
    updateMask: { paths: ['labels', 'build_config.source'] },
  })
  const [updated] = await updating.promise()
  expect(updated).toMatchObject({ labels: { team: 'red' }, buildConfig: { runtime: 'nodejs24', entryPoint: 'hello' } })
  await expect.poll(call, patience).toBe('200 later')
  const [whole] = await client.getFunction({ name }) // with every field that the client knows
  const [unchanged] = await client.updateFunction({ function: { ...whole, description: 'whole' } })
  expect((await unchanged.promise())[0]).toMatchObject({ description: 'whole', labels: { team: 'red' } })

  expect((await client.getFunction({ name }))[0]).toMatchObject({ state: 'ACTIVE', environment: 'GEN_2' })

  const [again] = await client.createFunction({ parent, functionId: 'hello', function: made })
  await expect(again.promise()).rejects.toMatchObject({ code: 6 })

  const [deleting] = await client.deleteFunction({ name })
  await deleting.promise()
  await expect(client.getFunction({ name })).rejects.toMatchObject({ code: 404 })
}, 120_000)

test('lists are paged, and runtimes and locations are listed', async () => {
  const source = await uploaded(hello)
  for (const functionId of ['page-one', 'page-two', 'page-three'])
    await client.createFunction({ parent, functionId, function: { buildConfig: { runtime: 'nodejs24', source } } })
  const [all] = await client.listFunctions({ parent: 'projects/shop/locations/-', pageSize: 1, filter: 'name:page-' })
  expect(all.map((one) => one.name?.split('/').at(-1))).toEqual(['page-one', 'page-three', 'page-two'])
  const [{ runtimes }] = await client.listRuntimes({ parent })
  expect(runtimes).toContainEqual(expect.objectContaining({ name: 'nodejs24', stage: 'GA', environment: 'GEN_2' }))
  const locations = []
  for await (const location of client.listLocationsAsync({ name: 'projects/shop' })) locations.push(location.locationId)
  expect(locations).toEqual(['europe-north1'])
})

test('a policy is read and replaced', async () => {
  const resource = `${parent}/functions/page-one`
  const [none] = await client.getIamPolicy({ resource } as never)
  const bindings = [{ role: 'roles/cloudfunctions.invoker', members: ['allUsers'] }]
  const [policy] = await client.setIamPolicy({ resource, policy: { bindings, etag: none.etag } } as never)
  expect(policy.bindings).toMatchObject(bindings)
  const stale = client.setIamPolicy({ resource, policy: { bindings: [], etag: none.etag } } as never)
  await expect(stale).rejects.toMatchObject({ code: 409 })
  const permissions = ['cloudfunctions.functions.get', 'made.up']
  const [tested] = await client.testIamPermissions({ resource, permissions } as never)
  expect(tested.permissions).toEqual(['cloudfunctions.functions.get'])
})

test('an error states the problem', async () => {
  const missing = client.getFunction({
    name: `projects/shop/locations/europe-north1/functions/${at('nowhere').function}`,
  })
  await expect(missing).rejects.toMatchObject({ code: 404, message: expect.stringContaining('NOT_FOUND') })
})
