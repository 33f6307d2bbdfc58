import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, type FunctionsApp, place, startFunctions, type Tenant } from '../testing/app.ts'

let app: FunctionsApp
let acme: Tenant

/** Five functions without a source: all FAILED but the last, which is still DEPLOYING. */
beforeAll(async () => {
  app = await startFunctions()
  acme = await app.tenant()
  const { storageSource } = (await acme.generateUploadUrl({ params: place, body: {} })).body
  for (const [index, functionId] of ['delta', 'alpha', 'echo', 'bravo', 'charlie'].entries()) {
    const labels = { team: index % 2 === 0 ? 'red' : 'blue', ...(index === 0 && { 'on-call': 'ada' }) }
    const runtime = functionId === 'echo' ? 'python311' : 'nodejs24'
    const body = { labels, description: `the ${functionId}`, buildConfig: { runtime, source: { storageSource } } }
    if (functionId === 'charlie') await app.jobs.drain()
    await acme.createFunction({ params: place, query: { functionId }, body })
    await app.clock.advance(1_000)
  }
})
afterAll(() => app[Symbol.asyncDispose]())

interface Query {
  readonly filter?: string
  readonly orderBy?: string
  readonly pageSize?: number
  readonly pageToken?: string
}

const ids = (functions: readonly { readonly name?: string }[]) => functions.map(({ name }) => name?.split('/').at(-1))
const list = async (query: Query) =>
  ids((await acme.listFunctions({ params: { ...place, location: '-' }, query })).body.functions)

test.each<[string, readonly string[]]>([
  ['', ['alpha', 'bravo', 'charlie', 'delta', 'echo']],
  ['state = "DEPLOYING"', ['charlie']],
  ['state != DEPLOYING AND labels.team = red', ['delta', 'echo']],
  ['labels.team = "blue"', ['alpha', 'bravo']],
  ['labels.on-call:*', ['delta']],
  ['labels."on-call" = ada', ['delta']],
  ['name:LOCATIONS/europe-north1/functions/b', ['bravo']],
  ['buildConfig.runtime=python311', ['echo']],
  ['description = "the alpha"', ['alpha']],
  ['environment = GEN_2 AND name:delta', ['delta']],
  ['labels.team = "it\'s; drop table"', []],
])('the filter %s returns the matches', async (filter, expected) => {
  expect(await list({ filter })).toEqual(expected)
})

test.each([
  ['environment=GEN_2', true],
  ['environment = "GEN_2" AND name:nodejs', true],
  ['environment=GEN_1', false],
  ['stage != GA', false],
])('the filter %s matches nodejs24: %s', async (filter, expected) => {
  const { runtimes } = (await acme.listRuntimes({ params: place, query: { filter } })).body
  expect(runtimes.some(({ name }) => name === 'nodejs24')).toBe(expected)
})

test('locations can be filtered, and unknown fields are refused', async () => {
  const query = { filter: 'locationId:NORTH1' }
  const { locations } = (await acme.listLocations({ params: { project: place.project }, query })).body
  expect(locations.map(({ locationId }) => locationId)).toContain(place.location)
  for (const filter of ['colour=red', 'environment', 'stage=GA OR stage=BETA'])
    await expect(acme.listRuntimes({ params: place, query: { filter } })).rejects.toMatchObject({
      body: { error: { message: expect.stringContaining('name, displayName, stage, environment') } },
    })
})

test.each(['state', 'state ~ A', 'size > 3', 'state = A OR state = B', '(state = A)', 'constructor = a', 'state = "A'])(
  'the filter %s is refused with the supported syntax',
  async (filter) => {
    await expect(list({ filter })).rejects.toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('FIELD = VALUE') } },
    })
  },
)

test('lists are sorted and paged, and a token is only valid for its list', async () => {
  expect(await list({ orderBy: 'name desc' })).toEqual(['echo', 'delta', 'charlie', 'bravo', 'alpha'])
  expect(await list({ orderBy: 'createTime' })).toEqual(['delta', 'alpha', 'echo', 'bravo', 'charlie'])
  expect(await list({ orderBy: 'create_time desc' })).toEqual(['charlie', 'bravo', 'echo', 'alpha', 'delta'])
  await expect(list({ orderBy: 'size' })).rejects.toMatchObject({ status: 400 })
  const pages: (string | undefined)[] = []
  let pageToken = ''
  do {
    const query = { pageSize: 2, orderBy: 'createTime desc', ...(pageToken && { pageToken }) }
    const { body } = await acme.listFunctions({ params: place, query })
    pages.push(...ids(body.functions))
    pageToken = body.nextPageToken ?? ''
    if (pageToken) await expect(list({ pageToken })).rejects.toMatchObject({ status: 400 }) // sorted differently
  } while (pageToken)
  expect(pages).toEqual(['charlie', 'bravo', 'echo', 'alpha', 'delta'])
})

test('operations are listed by function with paging, or the latest of a project', async () => {
  await app.jobs.drain()
  for (const description of ['one', 'two']) {
    await acme.updateFunction({ params: at('alpha'), body: { description } })
    await app.jobs.drain()
    await app.clock.advance(1_000)
  }
  const operations = async (filter: string, more: object = {}) =>
    (await acme.listOperations({ params: place, query: { filter, ...more } })).body
  const alpha = 'project:shop,location:*,function:alpha'
  const verbs = (list: Awaited<ReturnType<typeof operations>>) =>
    list.operations.map(({ metadata, done }) => `${metadata?.verb} ${done}`)
  expect(verbs(await operations(alpha))).toEqual(['update true', 'update true', 'create true'])
  const first = await operations(alpha, { pageSize: 2 })
  expect(verbs(first)).toHaveLength(2)
  expect(verbs(await operations(alpha, { pageToken: first.nextPageToken }))).toEqual(['create true'])
  const latest = await operations('project:shop,latest:true', { pageSize: 3 })
  expect(verbs(latest)).toHaveLength(3)
  expect(latest).not.toHaveProperty('nextPageToken')
  await expect(operations('project:shop,latest:true', { pageToken: 'x' })).rejects.toMatchObject({ status: 400 })
  await expect(operations('status:done')).rejects.toMatchObject({ status: 400 })
  await expect(operations('project:other')).rejects.toMatchObject({ status: 400 })

  const name = latest.operations[0]?.name ?? ''
  const operation = name.split('/').at(-1) ?? ''
  expect((await acme.getOperationById({ params: { operation } })).body.name).toBe(name)
  const other = await app.tenant('other')
  await expect(other.getOperationById({ params: { operation } })).rejects.toMatchObject({ status: 404 })
})
