import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, type FunctionsApp, hello, place, startFunctions, type Tenant } from '../testing/app.ts'

let app: FunctionsApp
let acme: Tenant
beforeAll(async () => {
  app = await startFunctions()
  acme = await app.tenant()
})
afterAll(() => app[Symbol.asyncDispose]())

const refusal = (status: number, code: string) => ({ status, body: { error: { code: status, status: code } } })
const name = (id: string) => `projects/shop/locations/europe-north1/functions/${id}`

test('a function is created from a zip, read, listed, changed and deleted', async () => {
  const created = await acme.deploy('hello', hello, { body: { labels: { team: 'blue' } } })
  expect(created).toMatchObject({
    done: true,
    metadata: { verb: 'create', target: name('hello'), apiVersion: 'v2' },
    response: {
      '@type': 'type.googleapis.com/google.cloud.functions.v2.Function',
      name: name('hello'),
      state: 'ACTIVE',
      labels: { team: 'blue' },
      serviceConfig: { availableMemory: '256M', timeoutSeconds: 60, uri: expect.stringContaining(app.url) },
    },
  })
  const { body: resource } = await acme.getFunction({ params: at('hello') })
  expect({ '@type': expect.anything(), ...resource }).toEqual(created.response)
  const { body: list } = await acme.listFunctions({ params: { ...place, location: '-' } })
  expect(list).toEqual({ functions: [resource], unreachable: [] })

  const change = { labels: { team: 'red' }, description: 'says hello' }
  const patched = await acme.updateFunction({ params: at('hello'), query: { updateMask: 'labels' }, body: change })
  expect(patched.body).toMatchObject({ done: false, metadata: { verb: 'update' } })
  const during = (await acme.getFunction({ params: at('hello') })).body
  expect(during).toMatchObject({ state: 'DEPLOYING', labels: { team: 'red' } })
  expect(during).not.toHaveProperty('description') // not in the mask
  const concurrent = acme.updateFunction({ params: at('hello'), body: change })
  await expect(concurrent).rejects.toMatchObject(refusal(409, 'ABORTED'))
  const updated = await acme.waitFor(patched.body)
  expect(updated.response).toMatchObject({
    state: 'ACTIVE',
    serviceConfig: { revision: expect.stringMatching(/^hello-00002-/) },
  })

  const deleted = await acme.deleteFunction({ params: at('hello') })
  expect((await acme.getFunction({ params: at('hello') })).body.state).toBe('DELETING')
  expect((await acme.deleteFunction({ params: at('hello') })).body.name).toBe(deleted.body.name)
  expect(await acme.waitFor(deleted.body)).toMatchObject({
    done: true,
    response: { '@type': 'type.googleapis.com/google.protobuf.Empty' },
  })
  await expect(acme.getFunction({ params: at('hello') })).rejects.toMatchObject(refusal(404, 'NOT_FOUND'))
})

test('creating an existing function fails as an operation', async () => {
  await acme.deploy('twice', hello)
  expect(await acme.deploy('twice', hello)).toMatchObject({ done: true, error: { code: 6 } }) // by createFunction
  expect((await acme.getFunction({ params: at('twice') })).body.state).toBe('ACTIVE')
})
