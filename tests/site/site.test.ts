import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brailleTranslation } from '@icosa/braille-translation'
import { startTestApp } from '@icosa/testing'
import { flawsOf, openChromium } from '@icosa/testing/browser'
import Fastify from 'fastify'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveSite } from '../../apps/server/src/front/site.ts'
import { writeSite } from '../../scripts/site.ts'

// The site as built by `npm run site` and served by a node.
const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
let folder = ''
let url = ''
let browser: Browser
let pages: ReadonlyMap<string, string>
let plain: ReadonlyMap<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icosa-site-'))
  await writeSite(folder)
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(html|md|txt)$/.test(name))
  const files = await Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
  )
  pages = new Map(files.filter(([name]) => name.endsWith('.html')))
  plain = new Map(files.filter(([name]) => !name.endsWith('.html')))
  serveSite(app, `${folder}/`)
  url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/docs/`
  browser = await openChromium()
})
afterAll(async () => {
  await browser.close()
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

test('no page has a broken link', () => {
  const lost: string[] = []
  let checked = 0
  for (const [name, text] of pages)
    for (const [, href = ''] of text.matchAll(/ href="([^"]*)"/g)) {
      if (/^(data|https?):/.test(href)) continue
      const { pathname, hash } = new URL(href.replaceAll('&amp;', '&'), new URL(name, 'http://site/'))
      const place = decodeURIComponent(pathname.slice(1))
      const target = pages.get(place) ?? plain.get(place)
      const isThere =
        target !== undefined && (hash === '' || target.includes(` id="${decodeURIComponent(hash.slice(1))}"`))
      checked += 1
      if (!isThere && !(place.endsWith('.json') && existsSync(join(folder, place))))
        lost.push(`${name} leads to ${href}`)
    }
  expect(lost).toEqual([])
  expect(checked).toBeGreaterThan(1_000)
})

test('every page is there as Markdown, and llms.txt leads to pages of the site', async () => {
  const names = [...pages.keys()].filter((name) => name !== 'search.html')
  expect(names.filter((name) => !plain.has(name.replace(/html$/, 'md')))).toEqual([])
  const withoutCode = (text: string) => text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '')
  const lost = [...plain].flatMap(([name, text]) =>
    [...withoutCode(text).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].flatMap(([, href = '']) => {
      const { pathname, host } = new URL(href, new URL(name, 'http://site/'))
      return host !== 'site' || /(json|svg|png)$/.test(pathname) || plain.has(pathname.slice(1))
        ? []
        : `${name}: ${href}`
    }),
  )
  expect(lost).toEqual([])
  expect(plain.get('llms.txt')?.match(/^- \[/gm)?.length).toBeGreaterThan(90)
  const served = await fetch(new URL('../llms.txt', url))
  expect([served.status, served.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  const page = await fetch(`${url}guides/backup.md`)
  expect([page.headers.get('content-type'), await page.text()]).toEqual([
    'text/markdown; charset=utf-8',
    plain.get('guides/backup.md'),
  ])
})

test('ids are unique in each page, and pages have only the three scripts of the site', () => {
  const twice = [...pages].flatMap(([name, text]) => {
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    return ids.filter((id, place) => ids.indexOf(id) !== place).map((id) => `${name}#${id}`)
  })
  expect(twice).toEqual([])
  const scripts = [...pages.values()].flatMap((text) => text.match(/<script[\s\S]*?<\/script>/g) ?? [])
  expect(scripts.length).toBe(pages.size)
  expect(new Set(scripts).size, 'for pages, for the search, for references').toBe(3)
})

test('code is highlighted, guides are titled with their service', () => {
  const guide = pages.get('guides/backup.html') ?? ''
  expect(guide).toContain('<title>Back up and restore resources (backup) – Icosa</title>')
  expect(guide).toContain('<span class="keyword">npx</span>')
  expect(guide).toContain('<span class="keyword">import</span>')
  expect(pages.get('start/commands.html')).toContain('<title>Commands – Icosa</title>')
})

test('only files of the site are served', async () => {
  const names = [
    '',
    'guides/',
    'guides/backup.html',
    'search.json',
    '../package.json',
    '%2e%2e/%2e%2e/etc/passwd',
    'x.html',
    'index.html%00',
  ]
  const responses = names.map(async (name) => [name, (await app.inject(`/docs/${name}`)).statusCode])
  expect(Object.fromEntries(await Promise.all(responses))).toEqual({
    '': 302,
    'guides/': 404,
    'guides/backup.html': 200,
    'search.json': 200,
    '../package.json': 404,
    '%2e%2e/%2e%2e/etc/passwd': 404,
    'x.html': 404,
    'index.html%00': 404,
  })
})

test('five pages are accessible, the search lists pages and decisions, and code can be copied', async () => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => void problems.push(message.text()))
  for (const [name, at] of Object.entries({
    start: 'index.html',
    guide: 'guides/backup.html',
    service: 'services/braille-translation.html',
    benchmark: 'benchmarks/requests.html',
  })) {
    await page.goto(url + at)
    expect(await flawsOf(page, name)).toEqual([])
  }
  await page.getByRole('searchbox').fill('screen readers')
  await page.getByRole('button', { name: 'Search' }).click()
  const results = page.locator('#results a')
  await results.first().waitFor()
  expect(await flawsOf(page, 'search')).toEqual([])
  await results.filter({ hasText: 'braille-translation (S4)' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'braille-translation' }).waitFor()
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('npx icosa dev --services braille-translation')
  await page.goto(`${url}search.html?q=ledger`)
  await page.getByRole('heading', { name: 'Decisions' }).waitFor()
  expect(await page.locator('h2:text("Pages") + ol a[href^="adr/0"]').count()).toBe(0)
  expect(await page.locator('h2:text("Decisions") + ol a:not([href^="adr/0"])').count()).toBe(0)
  await context.close()
  expect(problems).toEqual([])
})

test('programs in different languages are tabs: by mouse, by keyboard, by link, and on the next page', async () => {
  const page = await browser.newPage()
  await page.goto(`${url}guides/backup.html`)
  const shown = async () =>
    Promise.all((await page.getByRole('tabpanel').all()).map((panel) => panel.getAttribute('id')))
  expect(await shown()).toEqual(['with-typescript'])
  await page.getByRole('tab', { name: 'Python' }).click()
  expect(await shown()).toEqual(['with-python'])
  expect(await flawsOf(page, 'guide')).toEqual([])
  await page.keyboard.press('ArrowRight')
  expect(await shown()).toEqual(['with-typescript'])
  expect(await page.evaluate('document.activeElement.textContent')).toBe('TypeScript')
  await page.keyboard.press('ArrowLeft')
  await page.goto(`${url}guides/banking.html`)
  expect(await shown()).toEqual(['with-python'])
  await page.goto(`${url}guides/banking.html#with-typescript`)
  expect(await shown()).toEqual(['with-typescript'])
  await page.close()
  const without = await browser.newPage({ javaScriptEnabled: false })
  await without.goto(`${url}guides/banking.html`)
  for (const language of ['TypeScript', 'Python'])
    await without.getByRole('heading', { name: `With ${language}` }).waitFor()
  await without.close()
})

test('diagrams are pictures', () => {
  expect([...pages].filter(([, text]) => text.includes('sequenceDiagram') || text.includes('flowchart LR'))).toEqual([])
})

test('screenshots follow the colour scheme', async () => {
  await using node = await startTestApp({ services: [], front: ({ app: server }) => serveSite(server, `${folder}/`) })
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme })
    const shown: string[] = []
    page.on('response', (reply) => {
      if (reply.headers()['content-type'] === 'image/png') shown.push(new URL(reply.url()).pathname)
    })
    await page.goto(`${node.url}/docs/start/console.html`)
    const drawn = (await readdir('docs/start')).filter((name) => name.endsWith(`-${colorScheme}.png`))
    expect(shown.sort()).toEqual(drawn.sort().map((name) => `/docs/start/${name}`))
    await page.close()
  }
})

test('every operation has an example, and most succeed', () => {
  const references = [...pages].filter(([name]) => name.startsWith('reference/'))
  const operations = references.flatMap(([, text]) => text.split('<details class="operation"').slice(1))
  const refused = operations.filter((text) => /<p>Reply: [45]/.test(text))
  expect(operations.filter((text) => !/<p>Reply: \d{3}/.test(text) || !text.includes('curl'))).toEqual([])
  expect(operations.length).toBeGreaterThan(900)
  expect(refused.length).toBeLessThan(operations.length / 5)
  expect(operations.join(''), 'a key of a recording').not.toMatch(/icosa_[\w-]{20}/)
})

test('a reference can be filtered, and its examples sent to the node that serves it', async () => {
  await using node = await startTestApp({
    services: [brailleTranslation],
    front: ({ app: server }) => serveSite(server, `${folder}/`),
  })
  const page = await browser.newPage()
  const problems: string[] = []
  page.on('console', (message) => void problems.push(message.text()))
  await page.goto(`${node.url}/docs/reference/braille-translation.html#translateToDots`)
  const operation = page.locator('#translateToDots')
  await expect.poll(() => operation.getAttribute('open')).toBe('')
  await page.getByLabel('Key').fill(await node.key('owner'))
  await operation.getByRole('button', { name: 'Send to this node' }).click()
  await expect.poll(() => operation.getByRole('status').textContent()).toMatch(/^200\n[\s\S]*"2345"/)
  expect(await flawsOf(page, 'reference')).toEqual([])
  await page.getByLabel('Filter').fill('get dots json')
  await page.getByText('1 of 22 operations').waitFor()
  expect(await page.locator('details.operation:visible').evaluateAll((all) => all.map(({ id }) => id))).toEqual([
    'translateToDotsAsJson',
  ])
  await page.close()
  expect(problems).toEqual([])
})
