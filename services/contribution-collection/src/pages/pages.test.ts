import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { client } from '@icosa/client'
import { startTestApp, type TestApp } from '@icosa/testing'
import { flawsOf, openChromium } from '@icosa/testing/browser'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assignments, contributions, search } from '../contract.ts'
import { contributionCollection } from '../index.ts'
import { picture, tagged } from '../media/testing/files.ts'
import { serviceName } from '../names.ts'

let app: TestApp
let browser: Browser
let folder = ''
let key = ''
let base = ''
let calls: Awaited<ReturnType<typeof callsOf>>

const callsOf = async () =>
  client(
    { ...assignments, ...contributions, ...search },
    { baseUrl: base, headers: { authorization: `Bearer ${key}` } },
  )

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icosa-pages-'))
  await chmod(folder, 0o711)
  app = await startTestApp(contributionCollection({ state: join(folder, 'state'), runtime: 'bwrap' }))
  base = `${app.url}/${serviceName}`
  key = await app.key('acme')
  calls = await callsOf()
  browser = await openChromium()
  const photo = await picture(1_200, 900, 3).jpeg().toBuffer()
  const tags = ['-GPSLatitude=52.3731', '-GPSLatitudeRef=N', '-GPSLongitude=4.8922', '-GPSLongitudeRef=E']
  await writeFile(join(folder, 'photo.jpg'), await tagged(photo, 'a.jpg', tags))
  await writeFile(join(folder, 'other.png'), await picture(900, 1_200, 9).png().toBuffer())
  await writeFile(join(folder, 'page.html'), '<html><script>alert(1)</script></html>')
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await app[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function open(path: string, { width = 360, javaScriptEnabled = true } = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 740 }, javaScriptEnabled })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(path)
  return page
}

/** Checks mobile and desktop size, light and dark mode. */
async function look(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()
  expect.soft(await flawsOf(page, `contributions-${name}`)).toEqual([])
  if (before) await page.setViewportSize(before)
}

async function assignment(more: object = {}) {
  const { body } = await calls.createAssignment({
    body: { name: 'Snow & <ice>', description: 'Show us what it looks like where you are.', ...more },
  })
  return { id: body.id, url: `${base}/pages/acme/${body.id}` }
}

const pending = async (id: string) => (await calls.listContributions({ query: { assignment: id, state: 'any' } })).body

test('a visitor contributes on a phone: files with progress, a place on the map, consent', async () => {
  const { id, url } = await assignment({ receiptMessage: 'Keep warm.' })
  const page = await open(url)
  await look(page, 'form')
  await page.getByLabel('What have you seen?').fill('Snow on the <roof>')
  await page.getByLabel('Tell us more').fill('Two lines\nof text')
  await page.getByLabel('Choose from your phone').setInputFiles([join(folder, 'photo.jpg'), join(folder, 'page.html')])
  await page.getByText('photo.jpg: received').waitFor()
  await page.getByText('page.html: This is not a supported media file').waitFor()
  const map = page.getByAltText('World map')
  const box = (await map.boundingBox()) as { width: number; height: number }
  // Amsterdam, on a map of the whole world.
  await map.click({ position: { x: (box.width * (4.9 + 180)) / 360, y: (box.height * (90 - 52.4)) / 180 } })
  const [latitude, longitude] = [
    await page.getByLabel('Latitude').inputValue(),
    await page.getByLabel('Longitude').inputValue(),
  ]
  expect(Math.abs(Number(latitude) - 52.4)).toBeLessThan(1.5)
  expect(Math.abs(Number(longitude) - 4.9)).toBeLessThan(1.5)
  await page.getByLabel('Name of the place').fill('Amsterdam')
  await page.waitForLoadState('networkidle')
  await look(page, 'filled')
  await page.getByLabel('Your name').fill('Zoë Ångström')
  await page.getByLabel('This is mine').check()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  await look(page, 'receipt')
  expect(await page.textContent('main')).toContain('Keep warm.')
  await app.jobs.drain()
  const [contribution] = await pending(id)
  expect(contribution).toMatchObject({
    headline: 'Snow on the <roof>',
    body: 'Two lines\nof text',
    attribution: 'Zoë Ångström',
    place: { name: 'Amsterdam', latLong: { latitude: Number(latitude), longitude: Number(longitude) } },
    mediaUsages: [{ media: { type: 'image' } }],
  })
  expect(JSON.stringify(contribution?.mediaUsages), 'camera location').not.toContain('52.3731')
  expect((await calls.listContributions({ query: { assignment: id } })).body, 'not before moderation').toEqual([])
}, 240_000)

test('the form works without JavaScript: a file, the map, and an error that keeps the input', async () => {
  const { id, url } = await assignment()
  const page = await open(url, { javaScriptEnabled: false })
  await page.getByLabel('What have you seen?').fill('Ice')
  await page.getByLabel('Choose from your phone').setInputFiles(join(folder, 'other.png'))
  await page.getByAltText('World map').click({ position: { x: 148, y: 30 } })
  await page.getByText('Picture, ').waitFor()
  expect(await page.getByLabel('What have you seen?').inputValue()).toBe('Ice')
  expect(Number(await page.getByLabel('Latitude').inputValue())).toBeCloseTo(52.5, 0)
  const closer = await page.getByAltText('World map').getAttribute('src')
  expect(closer).toContain('zoom=4')
  await page.getByLabel('Your name').fill('  ')
  await page.getByLabel('This is mine').check()
  await page.getByRole('button', { name: 'Send' }).click()
  expect(await page.textContent('[role=alert]')).toContain('anonymous')
  await page.getByLabel('Your name').fill('Ada')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  expect(await pending(id)).toMatchObject([
    { headline: 'Ice', attribution: 'Ada', mediaUsages: [{ media: { type: 'image' } }] },
  ])
}, 240_000)

test('a moderator sees pictures, and decides by keyboard or, without JavaScript, by buttons', async () => {
  const { id, url } = await assignment({ allowsAnonymousContributions: true })
  for (const [headline, file] of [
    ['First', 'photo.jpg'],
    ['Second', 'other.png'],
    ['Third', 'photo.jpg'],
  ] as const) {
    const page = await open(url)
    await page.getByLabel('What have you seen?').fill(headline)
    await page.getByLabel('Choose from your phone').setInputFiles(join(folder, file))
    await page.getByText(`${file}: received`).waitFor()
    await page.getByLabel('This is mine').check()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    await page.context().close()
  }
  await app.jobs.drain()
  const [third] = await pending(id)
  await calls.flagContribution({ params: { id: third?.id as string }, body: { type: 'spam', notes: 'Seen elsewhere' } })

  const page = await open(`${base}/desk`)
  await look(page, 'sign-in')
  await page.getByLabel('Or a newsroom key').fill('wrong')
  await page.getByRole('button', { name: 'Sign in with the key' }).click()
  expect(await page.textContent('[role=alert]')).toContain('do not allow moderation')
  await page.getByLabel('Or a newsroom key').fill(key)
  await page.getByRole('button', { name: 'Sign in with the key' }).click()
  await page.getByRole('heading', { name: 'Third' }).waitFor()
  await page.waitForLoadState('networkidle')
  const images = await page.evaluate<number>('[...document.images].filter((image) => image.naturalWidth > 0).length')
  expect(images).toBeGreaterThanOrEqual(3)
  await look(page, 'desk')

  await page.keyboard.press('j')
  await page.keyboard.press('a')
  await page.getByText('approved.').waitFor()
  await page.keyboard.press('n')
  await page.keyboard.type('a blurred picture')
  await page.keyboard.press('Escape')
  await page.keyboard.press('r')
  await page.getByText('rejected.').waitFor()
  const states = async () =>
    (await pending(id)).map(({ headline, moderationHistory }) => [
      headline,
      moderationHistory?.map(({ action, notes }) => `${action.id} ${notes ?? ''}`.trim()),
    ])
  expect(await states()).toEqual([
    ['Third', ['approve']],
    ['Second', ['reject a blurred picture']],
    ['First', []],
  ])
  const plain = await open(`${base}/desk`, { javaScriptEnabled: false })
  await plain.getByLabel('Or a newsroom key').fill(key)
  await plain.getByRole('button', { name: 'Sign in with the key' }).click()
  const item = plain.locator('.item', { has: plain.getByRole('heading', { name: 'First', exact: true }) })
  await item.getByRole('button', { name: 'Escalate' }).click()
  await plain.getByText(/: escalated\./).waitFor()
  await plain.getByRole('button', { name: 'Return it to the queue' }).click()
  expect((await states())[2]).toEqual(['First', ['escalate', 'reset']])
  await plain.getByRole('button', { name: /^Sign out/ }).click()
  await plain.getByLabel('Password').waitFor()

  const { body: published } = await calls.listContributions({ query: { assignment: id } })
  const [artifact] = published[0]?.mediaUsages[0]?.artifacts ?? []
  const address = `${base}${artifact?.url.slice(artifact.url.indexOf('/media/'))}`
  expect((await fetch(address)).status, 'approved files are public').toBe(200)
}, 240_000)

test('moderation needs a session and a same-origin request, and forged forms are refused', async () => {
  const { id, url } = await assignment()
  const decide = (headers: Record<string, string>) =>
    fetch(`${base}/desk/contributions/1`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ action: 'approve' }),
      redirect: 'manual',
    })
  expect((await decide({})).status).toBe(401)
  const cookie = `contributions_desk=${key}`
  expect((await decide({ cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await decide({ cookie, 'sec-fetch-site': 'same-site' })).status).toBe(403)
  for (const origin of ['http://evil.example', 'null', `${new URL(base).origin}0`])
    expect((await decide({ cookie, origin })).status, origin).toBe(403)
  expect((await decide({ cookie, origin: new URL(base).origin })).status).not.toBe(403)
  const reader = await app.key('acme', [`${serviceName}:list*`])
  expect((await decide({ cookie: `contributions_desk=${reader}` })).status).toBe(401)
  const mallory = await app.key('mallory')
  expect((await decide({ cookie: `contributions_desk=${mallory}` })).status).toBe(400)

  const token = /name="form" value="([^"]+)"/.exec(await (await fetch(url)).text())?.[1] as string
  const upload = (form: string, at = url) =>
    fetch(`${at}/files`, { method: 'POST', headers: { 'x-form': form, 'content-type': 'image/png' }, body: 'x' })
  expect((await upload('')).status).toBe(403)
  expect((await upload(token.replace(/^./, (digit) => (digit === '0' ? '1' : '0')))).status).toBe(403)
  const other = await assignment()
  expect((await upload(token, other.url)).status).toBe(403)
  expect((await upload(token)).status, 'not a media file').toBe(400)
  const form = new FormData()
  for (const [name, value] of Object.entries({
    form: token,
    headline: 'x',
    attribution: 'y',
    media: '1',
    consent: 'no',
  }))
    form.append(name, value)
  expect((await fetch(url, { method: 'POST', body: form })).status).toBe(400)
  form.set('consent', 'yes')
  expect((await fetch(url, { method: 'POST', body: form })).status, 'a file of another user').toBe(400)
  expect(await pending(id)).toEqual([])
  for (const path of ['pages/acme/999999', 'pages/acme/x', 'pages/no-tenant/1'])
    expect((await fetch(`${base}/${path}`)).status).toBe(404)
  const policy = (await fetch(url)).headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
})
