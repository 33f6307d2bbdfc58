import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { operationsOfService } from '@icosa/kernel'
import { platform } from '@icosa/platform'
import { example, startTestApp } from '@icosa/testing'
import { openChromium } from '@icosa/testing/browser'
import { expect, test } from 'vitest'
import { front } from '../../apps/server/src/front/front.ts'
import { allServices } from '../../apps/server/src/services.ts'
import { writeConsole } from '../../scripts/console.ts'

const source = new URL('../../apps/console/src/', import.meta.url)
const kilobyte = 1024
const budget = 220 * kilobyte

test('the console contains no names of services', async () => {
  const services = await allServices()
  const words = services.flatMap((service) => [
    service.name,
    ...operationsOfService(service).map(({ id }) => id),
    ...Object.values(service.views?.resources ?? {}).flatMap(({ type }) => type ?? []),
  ])
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(tsx?|css)$/.test(name))
  expect(files.length).toBeGreaterThan(15)
  const quoted = new Set(words.filter((word) => /[A-Z_-]/.test(word) || services.some(({ name }) => name === word)))
  const violations = files.flatMap((file) => {
    const strings = readFileSync(new URL(file, source), 'utf8').matchAll(/['"`/]([\w.:-]+)(?=['"`/])/g)
    return [...strings].flatMap(([, text = '']) => (quoted.has(text) ? [`${file}: ${text}`] : []))
  })
  expect(violations).toEqual([])
})

test('a service with views appears after signing in with a key', async () => {
  await writeConsole()
  await using app = await startTestApp({ services: [example, platform], front: front([example, platform]) })
  await using opened = new AsyncDisposableStack()
  const browser = await openChromium()
  opened.defer(() => browser.close())
  const page = await browser.newPage()
  await page.goto(`${app.url}/console`)
  await page.getByLabel('Key', { exact: true }).fill(await app.key('ada'))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Notes', exact: true }).first().click()
  await page.getByText('A note has a title and a text.').waitFor()
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByLabel('title').fill('From the console')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('link', { name: 'From the console' }).click()
  await page
    .getByRole('complementary', { name: 'From the console' })
    .getByRole('button', { name: 'Publish note' })
    .waitFor()
  expect(page.url()).not.toContain('key')
  expect(
    await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'),
  ).not.toMatch(/icosa_|key_/)
  await page.reload()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
})

test('only development operations that the key permits are shown', async () => {
  await writeConsole()
  await using app = await startTestApp({ services: [example, platform], front: front([example, platform]) })
  await using opened = new AsyncDisposableStack()
  const browser = await openChromium()
  opened.defer(() => browser.close())
  const panels = async (permission: string) => {
    const key = await app.key('ada', ['platform:get*', permission])
    const page = await browser.newPage()
    await page.goto(`${app.url}/console/-/development`)
    await page.getByLabel('Key', { exact: true }).fill(key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Development', exact: true }).waitFor()
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    return page.getByRole('heading', { level: 2 }).allTextContents()
  }
  expect(await panels('platform:resetState')).toEqual(['Reset'])
  expect(await panels('platform:moveClock')).toEqual(['Clock'])
})

test('the page allows no foreign or inline content, and its assets are small, compressed and cacheable', async () => {
  await writeConsole()
  await using app = await startTestApp({
    services: [platform],
    front: front([platform], { key: 'the-key' }),
    hostnames: ['127.0.0.1'],
  })
  const page = await fetch(`${app.url}/console/any/path`)
  const html = await page.text()
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'self';.*frame-ancestors 'none'/)
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(html).toContain('the-key')
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style| on\w+=| style=/)
  const files = [...html.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path = '']) => path)
  expect(files.length).toBeGreaterThan(1)
  let bytes = gzipSync(html).length
  for (const path of files) {
    const file = await fetch(app.url + path, { headers: { 'accept-encoding': 'gzip' } })
    expect(file.headers.get('cache-control')).toContain('immutable')
    bytes += gzipSync(Buffer.from(await file.arrayBuffer()), { level: 9 }).length
    const packed = await fetch(app.url + path, { headers: { 'accept-encoding': 'br' } })
    expect(packed.headers.get('content-encoding')).toBe('br')
  }
  expect(bytes).toBeLessThan(budget)
  expect((await fetch(`${app.url}/console/assets/..%2findex.html`)).status).toBe(404)
  expect(await statusFor(app.url, 'rebound.example')).toBe(403)
})

/** Status of the page for a foreign Host header, as a browser sends it after DNS rebinding. */
const statusFor = (url: string, host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    request(`${url}/console`, { headers: { host } }, ({ statusCode }) => resolve(statusCode))
      .on('error', reject)
      .end()
  })
