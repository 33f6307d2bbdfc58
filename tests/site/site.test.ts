import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flawsOf, openChromium } from '@icosa/testing/browser'
import Fastify from 'fastify'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveSite } from '../../apps/server/src/front/site.ts'
import { writeSite } from '../../scripts/site.ts'

// The site as `npm run site` makes it and a node serves it.
const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
let folder = ''
let url = ''
let browser: Browser
let pages: ReadonlyMap<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icosa-site-'))
  await writeSite(folder)
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.html'))
  pages = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  )
  serveSite(app, `${folder}/`)
  url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/docs/`
  browser = await openChromium()
})
afterAll(async () => {
  await browser.close()
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

test('every link of every page leads somewhere', () => {
  const lost: string[] = []
  let checked = 0
  for (const [name, text] of pages)
    for (const [, href = ''] of text.matchAll(/ href="([^"]*)"/g)) {
      if (/^(data|https?):/.test(href)) continue
      const { pathname, hash } = new URL(href.replaceAll('&amp;', '&'), new URL(name, 'http://site/'))
      const target = pages.get(decodeURIComponent(pathname.slice(1)))
      const isThere =
        target !== undefined && (hash === '' || target.includes(` id="${decodeURIComponent(hash.slice(1))}"`))
      checked += 1
      if (!isThere) lost.push(`${name} leads to ${href}`)
    }
  expect(lost).toEqual([])
  expect(checked).toBeGreaterThan(1_000)
})

test('no page repeats an id, and none brings markup of its own', () => {
  const twice = [...pages].flatMap(([name, text]) => {
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    return ids.filter((id, place) => ids.indexOf(id) !== place).map((id) => `${name}#${id}`)
  })
  expect(twice).toEqual([])
  const scripts = [...pages].filter(([, text]) => text.includes('<script')).map(([name]) => name)
  expect(scripts, 'all but the search is read without a script').toEqual(['search.html'])
})

test('only files of the site are served', async () => {
  const statuses = [
    '',
    'guides/',
    'guides/backup.html',
    'search.json',
    '../package.json',
    '%2e%2e/%2e%2e/etc/passwd',
    'x.html',
    'index.html%00',
  ]
  const asked = statuses.map(async (name) => [name, (await app.inject(`/docs/${name}`)).statusCode])
  expect(Object.fromEntries(await Promise.all(asked))).toEqual({
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

test('five pages can be read by everybody, and the search finds', async () => {
  const page = await browser.newPage()
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
  const found = page.locator('#results a')
  await found.first().waitFor()
  expect(await found.allTextContents()).toContainEqual(expect.stringContaining('braille-translation'))
  expect(await flawsOf(page, 'search')).toEqual([])
  await found.filter({ hasText: 'braille-translation' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'braille-translation' }).waitFor()
  expect(problems).toEqual([])
})
