import { execFile } from 'node:child_process'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { replaceDevelopmentKey } from '@icosa/kernel'
import { startTestApp, type TestApp } from '@icosa/testing'
import { flawsOf, openChromium } from '@icosa/testing/browser'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withPlatform } from '../node.ts'
import { allServices } from '../services.ts'
import { documentsOf, mergedDocument } from './documents.ts'
import { firstCall } from './first-call.ts'
import { front } from './front.ts'

const services = withPlatform(await allServices(), 'virtual')
let app: TestApp
const key = 'icosa-dev-key'
/** What browsers send when they go to a page. */
const navigation = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const unbuilt = '/nonexistent/'
let browser: Browser
beforeAll(async () => {
  app = await startTestApp({
    services,
    front: front(services, {
      key,
      journal: async () => sent,
      lacking: () => ({ functions: ['sandbox'], backup: [] }),
      consoleFolder: unbuilt,
    }),
    development: true,
  })
  const { database, clock, cellVault } = app.platform
  await database.transaction((db) => replaceDevelopmentKey(db, clock, cellVault, key))
  browser = await openChromium()
})
afterAll(async () => {
  await browser.close()
  await app[Symbol.asyncDispose]()
})

const json = async (path: string) => (await fetch(app.url + path)).json() as Promise<unknown>

test('without a console, the root serves a list to programs and a page to browsers', async () => {
  expect(await json('/')).toEqual({ services: services.map(({ name }) => ({ name, url: `/${name}` })) })
  const page = await fetch(`${app.url}/`, { headers: navigation })
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const text = await page.text()
  for (const { title } of services) expect(text).toContain(title)
  expect(text.match(/Missing on this machine: [^.]*/g)).toEqual(['Missing on this machine: sandbox'])
  expect(text).toContain(app.url)
})

test('with a console, the root leads browsers to it, and serves programs as before', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'console-'))
  await writeFile(join(folder.path, 'index.html'), '<title>The console</title>')
  await using own = await startTestApp({ services: [], front: front([], { consoleFolder: `${folder.path}/` }) })
  const root = (headers: Record<string, string>) => fetch(own.url, { headers, redirect: 'manual' })
  const moved = await root(navigation)
  expect([moved.status, moved.headers.get('location'), moved.headers.get('vary')]).toEqual([302, '/console', 'accept'])
  expect(await (await fetch(own.url, { headers: navigation })).text()).toContain('The console')
  for (const accept of ['*/*', 'application/json', 'application/json, text/plain, */*'])
    expect(await (await root({ accept })).json()).toEqual({ services: [] })
  const java = await root({ accept: 'text/html, image/gif, image/jpeg, */*; q=0.2' })
  expect([java.status, await java.text()]).toEqual([200, expect.stringContaining('0 services run at')])
  const calls = await fetch(`${own.url}/first-calls`)
  expect([calls.status, await calls.text()]).toEqual([200, expect.stringContaining('0 services run at')])
})

test.each([
  ['/nothing?at=<b>all', 'There is nothing at /nothing?at=%3Cb%3Eall. GET / lists the services.'],
  ['/docs/nothing.html', expect.stringContaining("There is no page 'nothing.html'.")],
  ['/reference/nothing', expect.stringContaining("There is no API 'nothing'.")],
  ['/console', expect.stringContaining('The console is not built')],
])('%s is a page for browsers and JSON for programs', async (path, error) => {
  for (const accept of ['*/*', 'application/json', 'text/html, image/gif, image/jpeg, */*; q=0.2']) {
    const reply = await fetch(app.url + path, { headers: { accept } })
    expect([reply.status, await reply.json()]).toEqual([404, { error }])
  }
  const page = await fetch(app.url + path, { headers: navigation })
  expect([page.status, page.headers.get('vary')]).toEqual([404, 'accept'])
  const text = await page.text()
  for (const link of ['/', '/docs/guides/index.html', '/docs']) expect(text).toContain(`<a href="${link}">`)
  const posted = await fetch(app.url + path, { method: 'POST', headers: navigation })
  expect(posted.headers.get('content-type')).toMatch(/^application\/json/)
})

test("paths below a service keep the service's own errors, for browsers too", async () => {
  const reply = await fetch(`${app.url}/backup/nothing`, { headers: navigation })
  expect([reply.status, reply.headers.get('content-type')]).toEqual([404, expect.stringMatching(/json/)])
})

const run = promisify(execFile)

test('every first call without placeholders succeeds', async () => {
  const operations: { readonly name: string; readonly status: string }[] = []
  for (const document of documentsOf(services)) {
    const call = firstCall(document, app.url, key)
    if (call === undefined || /\/[A-Z_]{2,}/.test(call)) continue
    const { stdout: status } = await run('sh', ['-c', `${call} -o /dev/null -w '%{http_code}'`])
    operations.push({ name: document.name, status })
  }
  expect(operations.length).toBeGreaterThan(services.length / 2)
  const signedIn = operations.filter(({ name }) => name !== 'banking') // it opens sessions first
  expect(signedIn.filter(({ status }) => status !== '200')).toEqual([])
})

test('the journal is served as JSON in development mode only', async () => {
  expect(await json('/journal')).toEqual(jsonOf({ sections: sent }))
  await using operated = await startTestApp({ services: [], front: front([]) })
  expect((await fetch(`${operated.url}/journal`)).status).toBe(404)
})

test('every API has an OpenAPI document, and all are merged into one', async () => {
  const all = documentsOf(services)
  for (const { name, document } of all) expect(await json(`/openapi/${name}.json`)).toEqual(jsonOf(document))
  const merged = mergedDocument(all)
  expect(await json('/openapi.json')).toEqual(jsonOf(merged))
  const count = (paths: object) => Object.values(paths).flatMap((path) => Object.keys(path)).length
  expect(count(merged.paths)).toBe(all.reduce((sum, { document }) => sum + count(document.paths), 0))
  const text = JSON.stringify(merged)
  const existing = new Set(
    Object.entries(merged.components).flatMap(([kind, one]) =>
      Object.keys(one).map((name) => `#/components/${kind}/${name}`),
    ),
  )
  const missing = [...text.matchAll(/"\$ref":"([^"]+)"/g)].filter(([, at = '']) => !existing.has(at))
  expect(missing.map(([, at]) => at)).toEqual([])
  expect(await json('/openapi/nothing.json')).toEqual({ error: expect.stringContaining("no API 'nothing'") })
  expect((await fetch(`${app.url}/reference/nothing`)).status).toBe(404)
  const moved = await fetch(`${app.url}/reference/backup`, { redirect: 'manual' })
  expect(moved.headers.get('location')).toBe('/docs/reference/backup.html')
})

const sent = [
  {
    title: 'Mail',
    entries: [
      { at: new Date(0), what: 'to <ada@example.com>: Welcome', text: 'Follow this:\nhttps://example.com/?a=b' },
    ],
  },
  { title: 'Calls', service: 'voice-messaging', entries: [] },
]

const jsonOf = (value: unknown) => JSON.parse(JSON.stringify(value))

test('the pages are accessible', async () => {
  const page = await browser.newPage()
  const problems: string[] = []
  page.on('console', (message) => void problems.push(message.text()))
  await page.goto(app.url)
  expect(await flawsOf(page, 'welcome')).toEqual([])
  await page.getByRole('link', { name: 'Mail, calls and events' }).click()
  await page.getByText('to <ada@example.com>: Welcome').click()
  expect(await page.getByText('https://example.com/?a=b').isVisible()).toBe(true)
  expect(await flawsOf(page, 'journal')).toEqual([])
  await page.getByRole('link', { name: 'Home' }).click()
  const reference = page.getByRole('link', { name: 'Reference of Resource groups' })
  expect(await reference.getAttribute('href')).toBe('/docs/reference/resource-groups.html')
  expect(problems).toEqual([])
  await page.goto(`${app.url}/nothing`)
  expect(await flawsOf(page, 'not-found')).toEqual([])
  await page.close()
})
