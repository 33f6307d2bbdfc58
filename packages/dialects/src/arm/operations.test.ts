import { named, Type } from '@icosa/contract'
import { accepted, Failure, implement, job, type Kind, type Service } from '@icosa/kernel'
import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { arm, namespaced, resourceFields } from './contract.ts'
import { listedOperations } from './provider-operations.ts'
import { armServer } from './server.ts'

// A garden whose plants grow in jobs, with the requested outcome.
const api = arm('Vendor.Garden')
const Plant = named('Plant', {
  ...resourceFields,
  properties: Type.Optional(Type.Object({ bedId: Type.Optional(namespaced()), note: Type.Optional(Type.String()) })),
})
const End = Type.Object({
  kind: Type.Optional(Type.String()),
  code: Type.Optional(Type.String()),
  progress: Type.Optional(Type.Number()),
  plant: Type.Optional(Plant),
})

const grow = job<{ kind?: string; code?: string; progress?: number; plant?: unknown }>('grow', {
  retries: 0,
  async run({ kind, code, progress: fraction, plant }, { progress }) {
    if (fraction !== undefined) await progress(fraction)
    if (kind) throw new Failure(kind as Kind, `It failed: ${kind}.`, { ...(code && { code }) })
    return async () => plant
  },
})

const contract = {
  grow: api.put(api.inGroup('/plants/{plantName}'), { summary: 'Grow one.', body: End, replies: { 202: null } }),
  stop: api.post(api.inGroup('/plants/{plantName}/stop'), {
    summary: 'Stop it.',
    body: Type.Object({ id: Type.String() }),
    replies: { 202: null },
  }),
}
const plants = implement(contract, {
  async grow({ body }, { operations }) {
    return accepted(undefined, await operations.start(grow, body))
  },
  async stop({ body }, { operations }) {
    await operations.cancel(body.id)
    return { status: 202 as const, body: undefined }
  },
})
const garden: Service = {
  name: 'garden',
  title: 'A garden',
  moves: 'withRows',
  apis: [
    {
      dialect: armServer(api, { original: 'Maker.Garden', versions: ['2019-01-01'], result: Plant }),
      resources: { Plants: plants, Operations: listedOperations(api, [contract], 'A garden') },
    },
  ],
  jobs: [grow],
}
const version = '?api-version=2019-01-01'
const path = (namespace: string) =>
  `/garden/subscriptions/mine/resourceGroups/Vendor.Garden/providers/${namespace}/plants/rose`

async function startGarden() {
  const app = await startTestApp(garden)
  const headers = { authorization: `Bearer ${await app.key('acme')}`, 'content-type': 'application/json' }
  const get = async (url: string) => {
    const response = await fetch(url, { headers })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const begin = async (end: object, namespace = 'Vendor.Garden') => {
    const response = await fetch(`${app.url}${path(namespace)}${version}`, {
      method: 'PUT',
      headers,
      body: JSON.stringify(end),
    })
    expect(response.status).toBe(202)
    const at = (name: string) => response.headers.get(name) ?? ''
    return { status: at('azure-asyncoperation'), result: at('location') }
  }
  const stop = (operation: string) =>
    fetch(`${app.url}${path('Vendor.Garden')}/stop${version}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ id: operation }),
    })
  return { app, get, begin, stop }
}

test('the result of a failed operation is its error, with the status of its kind', async () => {
  const { app, begin, get } = await startGarden()
  await using _ = app
  for (const [kind, code, status] of [
    ['invalid', undefined, 400],
    ['notFound', 'SeedNotFound', 404],
    ['conflict', undefined, 409],
    ['preconditionFailed', undefined, 412],
    ['notImplemented', 'NoSuchPlant', 501],
    ['unavailable', undefined, 503],
    ['internal', undefined, 500],
  ] as const) {
    const operation = await begin({ kind, ...(code && { code }) })
    expect((await get(operation.result)).status).toBe(202)
    await app.jobs.drain()
    const error = { code: code ?? 'OperationFailed', message: `It failed: ${kind}.` }
    expect(await get(operation.result)).toEqual({ status, body: { error } })
    expect(await get(operation.status)).toMatchObject({ status: 200, body: { status: 'Failed', error } })
  }
})

test('the status of an operation has its times and, if known, its progress', async () => {
  const { app, begin, get } = await startGarden()
  await using _ = app
  await app.clock.move({ frozen: true })
  const startTime = app.platform.clock.now().toISOString()
  const [known, unknown] = [await begin({ kind: 'conflict', progress: 0.25 }), await begin({ kind: 'conflict' })]
  for (const url of [known.status, known.result]) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${await app.key('acme')}` } })
    expect(response.headers.get('retry-after'), 'else some clients wait half a minute').toBe('1')
  }
  const name = new URL(known.status).pathname.split('/').at(-1)
  const pending = { name, status: 'InProgress', startTime }
  expect(await get(known.status)).toEqual({ status: 200, body: { id: expect.any(String), ...pending } })
  await app.clock.advance(60_000)
  const endTime = app.platform.clock.now().toISOString()
  await app.jobs.drain()
  expect((await get(known.status)).body).toMatchObject({
    name,
    status: 'Failed',
    startTime,
    endTime,
    percentComplete: 25,
  })
  expect((await get(unknown.status)).body).not.toHaveProperty('percentComplete')
  for (const url of [known.status, known.result])
    expect(await get(url.replace(String(name), 'none'))).toMatchObject({
      status: 404,
      body: { error: { message: expect.stringMatching(/operation.*none/) } },
    })
})

test('a canceled operation has no result, a successful one may have one', async () => {
  const { app, begin, get, stop } = await startGarden()
  await using _ = app
  const canceled = await begin({ plant: { name: 'rose' } })
  await stop(new URL(canceled.result).pathname.split('/').at(-1) ?? '')
  const [withResult, withoutResult] = [await begin({ plant: { name: 'rose' } }), await begin({})]
  await app.jobs.drain()
  expect(await get(canceled.result)).toMatchObject({ status: 409, body: { error: { code: 'OperationCanceled' } } })
  expect(await get(canceled.status)).toMatchObject({ status: 200, body: { status: 'Canceled' } })
  expect(await get(withResult.result)).toEqual({ status: 200, body: { name: 'rose' } })
  expect(await get(withoutResult.result)).toEqual({ status: 204, body: undefined })
})

test('results and their URLs use the spelling of the request; names and notes never change', async () => {
  const { app, begin, get } = await startGarden()
  await using _ = app
  const scope = '/subscriptions/Vendor.Garden/resourceGroups/Vendor.Garden/providers'
  const plantIn = (namespace: string) => ({
    id: `${scope}/${namespace}/plants/Vendor.Garden`,
    name: 'Vendor.Garden',
    type: `${namespace}/plants`,
    properties: { bedId: `${scope}/${namespace}/beds/Vendor.Garden`, note: 'bought in Vendor.Garden/plants' },
  })
  const operation = await begin({ plant: plantIn('Vendor.Garden') }, 'maker.garden')
  await app.jobs.drain()
  expect(operation.result).toContain('/providers/Maker.Garden/locations/')
  expect(await get(operation.result)).toEqual({ status: 200, body: plantIn('Maker.Garden') })
  expect(await get(operation.result.replace('Maker', 'Vendor'))).toEqual({
    status: 200,
    body: plantIn('Vendor.Garden'),
  })
  expect((await get(operation.status)).body.id).toMatch(/^\/subscriptions\/mine\/providers\/Maker\.Garden\/locations\//)

  const { body } = await get(`${app.url}/garden/providers/Maker.Garden/operations${version}`)
  expect(body.value.map(({ name }: { name: string }) => name)).toEqual([
    'Maker.Garden/plants/write',
    'Maker.Garden/plants/stop/action',
  ])
})
