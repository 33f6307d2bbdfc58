import { named } from '@icosa/contract'
import { implement, ok, type Service, strictService } from '@icosa/kernel'
import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { arm, listOf, resourceFields } from './contract.ts'
import { armServer } from './server.ts'

const api = arm('Vendor.Garden')
const Plant = named('Plant', resourceFields)
const plants = {
  list: api.get(api.inGroup('/plants'), { summary: 'List plants.', replies: { 200: listOf('PlantList', Plant) } }),
}
const resource = implement(plants, {
  async list({ params }) {
    const id = `/subscriptions/${params.subscriptionId}/providers/Vendor.Garden/plants/rose`
    return ok({ value: [{ id, name: 'rose', type: 'Vendor.Garden/plants' }] }, { next: 'page-two' })
  },
})
const garden: Service = {
  name: 'garden',
  title: 'A garden',
  moves: 'withRows',
  apis: [
    {
      dialect: armServer(api, { original: 'Maker.Garden', versions: ['2019-01-01'] }),
      resources: { Plants: resource },
    },
  ],
}
const path = (namespace: string) => `/garden/subscriptions/mine/resourceGroups/all/providers/${namespace}/plants`

async function start(service: Service) {
  const app = await startTestApp(service)
  const headers = { authorization: `Bearer ${await app.key('acme')}` }
  return { app, get: (target: string) => fetch(app.url + target, { headers }) }
}

test('a response uses the spelling of its request, whatever its case', async () => {
  const { app, get } = await start(garden)
  await using _ = app
  const neutral = await (await get(`${path('Vendor.Garden')}?api-version=2019-01-01&$top=1`)).json()
  expect(neutral).toMatchObject({ value: [{ type: 'Vendor.Garden/plants' }] })
  const original = (await (
    await get(`${path('maker.garden').replace('Groups', 'groups')}?api-version=2019-01-01&$top=1&$skip=5`)
  ).json()) as {
    nextLink: string
  }
  expect(original).toMatchObject({ value: [{ type: 'Maker.Garden/plants' }] })
  expect(original.nextLink).toBe(
    `${app.url}${path('maker.garden').replace('Groups', 'groups')}?api-version=2019-01-01&$top=1&$skipToken=page-two`,
  )
})

test('one address serves all providers: the namespace names the service, in any spelling and case', async () => {
  const { app, get } = await start(garden)
  await using _ = app
  for (const namespace of ['Vendor.Garden', 'maker.GARDEN']) {
    const target = `${path(namespace).replace('/garden', '')}?api-version=2019-01-01&$top=1`
    const page = (await (await get(target)).json()) as { value: { type: string }[]; nextLink: string }
    expect(page.value).toEqual([expect.objectContaining({ type: expect.stringMatching(/^(Vendor|Maker)\.Garden/) })])
    expect(page.nextLink, 'below the same address').toBe(`${app.url}${target}&$skipToken=page-two`)
  }
  for (const target of ['/subscriptions', '/subscriptions/mine/resourceGroups'])
    expect((await get(`${target}?api-version=2021-04-01`)).status, target).toBe(200)
  for (const target of ['/subscriptions/mine/providers/Other.Garden/plants', '/subscriptions/mine/elsewhere'])
    expect((await get(`${target}?api-version=2019-01-01`)).status, target).toBe(404)
})

test('the version is required; newer ones are served with a warning, unknown older ones refused', async () => {
  const { app, get } = await start(garden)
  await using _ = app
  const getVersion = (version: string) => get(`${path('Vendor.Garden')}?api-version=${version}`)
  const missing = await get(path('Vendor.Garden'))
  expect(missing.status).toBe(400)
  expect(await missing.json()).toMatchObject({ error: { code: 'MissingApiVersionParameter' } })
  const newer = await getVersion('2031-01-01')
  expect([newer.status, newer.headers.get('warning')]).toEqual([200, expect.stringContaining('2019-01-01')])
  expect((await getVersion('2019-01-01')).headers.get('warning')).toBeNull()
  for (const version of ['2018-12-31', '2016-03-01-preview', '2031-02-30', '2031-13-01']) {
    const refused = await getVersion(version)
    expect(refused.status, version).toBe(400)
    expect(await refused.json()).toMatchObject({
      error: { code: 'InvalidApiVersionParameter', message: expect.stringContaining('2019-01-01') },
    })
  }

  const strict = await start(strictService(garden))
  await using __ = strict.app
  const refused = await strict.get(`${path('Vendor.Garden')}?api-version=2031-01-01`)
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: { code: 'InvalidApiVersionParameter' } })
})

test('answers requests without a token with a challenge', async () => {
  const { app } = await start(garden)
  await using _ = app
  const response = await fetch(`${app.url}${path('Vendor.Garden')}?api-version=2019-01-01`)
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  expect(await response.json()).toMatchObject({ error: { code: 'InvalidAuthenticationToken' } })
})
