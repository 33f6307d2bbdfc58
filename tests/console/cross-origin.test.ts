import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Engine, operationsOfService } from '@icosa/kernel'
import { platform } from '@icosa/platform'
import type { Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allServices } from '../../apps/server/src/services.ts'
import { draft, presign } from '../../packages/dialects/src/signed/testing/request.ts'
import { Wire } from '../attack/wire.ts'
import { openConsole } from './node.ts'

/** The key of development mode: every page knows it. */
const key = 'icosa-dev-key'
const { app, page, ...console } = openLazily()
const services = [...(await allServices()), platform]

/** `openConsole` has its node and page only once the tests run. */
function openLazily() {
  const opened = openConsole()
  return { app: () => opened.app, page: () => opened.page, go: opened.go, incidents: opened.incidents }
}

let site: Server
let content = ''
beforeAll(async () => {
  site = createServer((_, response) => response.setHeader('content-type', 'text/html').end(content)).listen(0)
  await new Promise((resolve) => site.once('listening', resolve))
})
afterAll(() => site.close())

/** Pages of another site, and of another port of the same host. */
const origins = () => ['localhost', '127.0.0.1'].map((host) => `http://${host}:${(site.address() as AddressInfo).port}`)

const changes = services.flatMap((service) =>
  operationsOfService(service).filter(({ operation: { method }, handler }) => {
    const isProtocol = handler instanceof Engine // has forms of other sites, and checks them itself
    return method !== 'GET' && method !== 'HEAD' && !isProtocol
  }),
)

/** Sends every changing operation with these headers. Returns those with another status than 403. */
async function acceptedWith(...headers: string[]): Promise<string[]> {
  let wire = await Wire.open(app().url)
  const accepted: string[] = []
  for (const { service, operation } of changes) {
    const target = `/${service.name}${operation.path.replace(/\{[^}]+\}/g, 'a')}`
    const credential = `Authorization: Basic ${Buffer.from(`dev:${key}`).toString('base64')}`
    if (wire.isClosed) wire = await Wire.open(app().url)
    const request = { method: operation.method, target, headers: [credential, 'Content-Length: 0', ...headers] }
    const status = await wire.ask(request)
    if (status !== 403) accepted.push(`${status}: ${operation.method} ${target}`)
  }
  wire.close()
  return accepted
}

test('no changing operation takes a request of another origin', async () => {
  expect(changes.length).toBeGreaterThan(400)
  const host = `Host: ${new URL(app().url).host}`
  expect(await acceptedWith(host, 'Sec-Fetch-Site: cross-site')).toEqual([])
  expect(await acceptedWith(host, 'Sec-Fetch-Site: same-site', `Origin: http://${new URL(app().url).host}`)).toEqual([])
  expect(await acceptedWith(host, 'Origin: null')).toEqual([])
  expect(await acceptedWith('Host: rebound.example', 'Sec-Fetch-Site: same-origin')).toEqual([])
  const own = await acceptedWith(host, 'Sec-Fetch-Site: same-origin', `Origin: http://${new URL(app().url).host}`)
  expect(own.length).toBe(changes.length)
})

/** Requests that need no header, so that any page can send them: signed in the query, with a key there, or open. */
function forgeries(): readonly { readonly target: string; readonly body: string }[] {
  const { accessKeyId: id, secretAccessKey: secret, ...scope } = app().service('resource-groups').signing
  const query = { Type: 'TAG_FILTERS_1_0', Query: '{"ResourceTypeFilters":["AWS::AllSupported"]}' }
  const group = JSON.stringify({ Name: 'forged', ResourceQuery: query })
  const signed = presign(draft('POST', '/resource-groups/groups', group), app().url, { id, secret, ...scope }, 600)
  return [
    { target: signed.target, body: group },
    { target: '/banking/installation', body: JSON.stringify({ client_public_key: 'forged' }) },
    { target: '/unpack-analysis/unpack', body: 'forged' },
    { target: `/braille-translation/translate/braille?api_key=${key}`, body: '{"text":"forged"}' },
  ]
}

/** The status for a program that sends the same. */
const statusOf = async ({ target, body }: ReturnType<typeof forgeries>[number]) =>
  (await fetch(app().url + target, { method: 'POST', body: new Blob([body]) })).status

test('forms and simple requests of other origins change nothing, even with the public key', async () => {
  const answers: number[] = []
  let sent = 0
  const isForged = (request: Request) =>
    request.method() === 'POST' && new URL(request.url()).host === new URL(app().url).host
  page().on('request', (request) => {
    if (isForged(request)) sent++
  })
  page().on('response', (response) => {
    if (isForged(response.request())) answers.push(response.status())
  })
  for (const origin of origins())
    for (const { target, body } of forgeries()) {
      const url = JSON.stringify(new URL(target, app().url.replace('//', `//dev:${key}@`)).href)
      content = `<!doctype html><form method="post" enctype="multipart/form-data"><input name="file"></form><script>
        const [form] = document.forms
        form.action = ${url}
        const untyped = { method: 'POST', mode: 'no-cors', body: new Blob([${JSON.stringify(body)}]) }
        fetch(${url}.replace(/\\/\\/.*@/, '//'), untyped).catch(() => {}).finally(() => form.submit())
      </script>`
      await page().goto(origin)
      await page().waitForURL((at) => at.pathname === new URL(target, origin).pathname)
    }
  const list = { method: 'POST', body: new Blob(['{}']) }
  const groups = await app().fetch('resource-groups', '/groups-list', list)
  expect(await groups.json()).toMatchObject({ GroupIdentifiers: [] })
  const posts = 2 * forgeries().length
  expect(sent).toBe(2 * posts)
  expect(answers.length).toBeGreaterThanOrEqual(posts) // browsers hide some answers to `no-cors`
  expect(answers.filter((status) => status !== 403)).toEqual([])
  // The same requests are accepted from programs.
  const [signed, ...others] = forgeries()
  expect(signed && (await statusOf(signed))).toBeLessThan(300)
  for (const other of others) expect(await statusOf(other)).not.toBe(403)
})

test('the console is shown in no frame', async () => {
  for (const origin of origins()) {
    content = `<!doctype html><iframe src="${app().url}/console"></iframe>`
    await page().goto(origin)
    const frame = page().frames()[1]
    await expect.poll(() => frame?.url()).toMatch(/^chrome-error:/)
  }
  await page().goto(`${app().url}/console`)
  expect(console.incidents.filter((text) => !/frame-ancestors|X-Frame-Options|refused to connect/i.test(text))).toEqual(
    [],
  )
})
