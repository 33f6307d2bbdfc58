import { apiDiagnostics } from '@icosa/api-diagnostics'
import { configurationStores } from '@icosa/configuration-stores'
import { identityConnect } from '@icosa/identity-connect'
import { example } from '@icosa/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SdkApp, startSdkApp } from '../sdk/tls.ts'

// A client that uses TLS, or another host name of the machine, can only follow links with the same origin.
let sdkApp: SdkApp
let authorization = ''

beforeAll(async () => {
  sdkApp = await startSdkApp((url) => [
    apiDiagnostics,
    configurationStores({ endpoint: `${url}/configuration-stores/stores/{name}` }),
    identityConnect(),
    example,
  ])
  authorization = `Bearer ${await sdkApp.app.key('acme')}`
})
afterAll(() => sdkApp[Symbol.asyncDispose]())

const subscription = '/subscriptions/sub-1/resourceGroups/group/providers'
const diagnostics = `/api-diagnostics${subscription}/Vendor.ApiManagement/service/nothing/diagnostics`
const store = `${subscription}/Vendor.AppConfiguration/configurationStores`
const version = 'api-version=2019-12-01-preview'

describe.each([
  ['http', 'localhost'],
  ['http', '127.0.0.1'],
  ['https', 'localhost'],
  ['https', '127.0.0.1'],
] as const)('asked at %s://%s', (scheme, host) => {
  const root = () => sdkApp.at(scheme).replace('localhost', host)
  const name = `links-${scheme}-${host.replaceAll('.', '-')}`

  async function ask(path: string, method = 'GET', body?: object) {
    const headers = { authorization, 'x-api-key': authorization.slice(7), 'content-type': 'application/json' }
    const sent = body && { body: JSON.stringify(body) }
    const answer = await fetch(path.startsWith('http') ? path : root() + path, { method, headers, ...sent })
    const text = await answer.text()
    expect(answer.ok, text).toBe(true)
    return { headers: answer.headers, body: text === '' ? {} : JSON.parse(text) }
  }

  /** Expects a link to have the origin of the request and to work. */
  async function expectToLead(link: unknown) {
    expect(link).toEqual(expect.stringMatching(/^https?:/))
    expect(new URL(String(link)).origin).toBe(root())
    await ask(String(link))
  }

  test('arm links to the next page and to operations', async () => {
    for (const each of ['a', 'b'])
      await ask(`${diagnostics}/${name}-${each}?${version}`, 'PUT', { properties: { loggerId: 'x' } })
    const { body } = await ask(`${diagnostics}?${version}&$top=1`)
    await expectToLead(body.nextLink)
    const created = await ask(`/configuration-stores${store}/${name}?api-version=2019-11-01-preview`, 'PUT', {
      location: 'here',
      sku: { name: 'Standard' },
    })
    await expectToLead(created.headers.get('azure-asyncoperation'))
    await expectToLead(created.headers.get('location'))
  })

  test('the data plane of a store links to operations on snapshots and to the next page', async () => {
    const at = `/configuration-stores/stores/${name}`
    const keys = `/configuration-stores${store}/${name}/ListKeys?api-version=2019-11-01-preview`
    await expect.poll(async () => (await ask(keys, 'POST')).body.value.length).toBe(4) // it is ready
    const type = 'application/vnd.microsoft.appconfig.snapshot+json'
    const answer = await fetch(`${root()}${at}/snapshots/first?api-version=2023-10-01`, {
      method: 'PUT',
      headers: { authorization, 'content-type': type },
      body: JSON.stringify({ filters: [{ key: '*' }] }),
    })
    expect(answer.status).toBe(201)
    await expectToLead(answer.headers.get('operation-location'))
    const moreThanAPage = Array.from({ length: 101 }, (_, number) => `${at}/kv/k${number}?api-version=1.0`)
    await Promise.all(moreThanAPage.map((key) => ask(key, 'PUT', { value: 'v' })))
    const { body, headers } = await ask(`${at}/kv?api-version=1.0`)
    expect(body['@nextLink'], 'relative, as its clients expect').toMatch(/^\/kv\?/)
    expect(headers.get('link')).toBe(`<${body['@nextLink']}>; rel="next"`)
    await expectToLead(root() + at + body['@nextLink'])
  })

  test('keyed links to operations', async () => {
    const { body } = await ask('/example/notes', 'POST', { title: 'one', text: 'two' })
    const { headers } = await ask(`/example/notes/${body.id}/publish`, 'POST')
    await expectToLead(headers.get('operation-location'))
  })

  test('identity links to a new client', async () => {
    const client = { client_name: 'Notes', redirect_uris: ['http://localhost:3000/callback'] }
    const { headers } = await ask('/identity-connect/client', 'POST', client)
    await expectToLead(headers.get('location'))
  })
})
