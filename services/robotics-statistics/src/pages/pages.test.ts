import { flawsOf, openChromium } from '@icosa/testing/browser'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRobotics } from '../testing/app.ts'

let app: Awaited<ReturnType<typeof startRobotics>>
let browser: Browser

beforeAll(async () => {
  app = await startRobotics()
  await app.scout.synthetic()
  browser = await openChromium()
})
afterAll(async () => {
  await browser.close()
  await app[Symbol.asyncDispose]()
})

async function open(path: string): Promise<{ page: Page; problems: string[] }> {
  const [username = '', password = ''] = Buffer.from(app.scout.authorization.slice(6), 'base64').toString().split(':')
  const context = await browser.newContext({ httpCredentials: { username, password } })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => void problems.push(message.text()))
  page.on('request', (request) => request.isNavigationRequest() || problems.push(`loads ${request.url()}`))
  await page.goto(`${app.url}/robotics-statistics${path}`)
  return { page, problems: problems.filter((text) => !text.includes('favicon') && !text.includes('401')) }
}

test('an event has a page with its bracket, ranking and schedule, and is accessible', async () => {
  const { page, problems } = await open('/pages/2026/SY001')
  expect(await page.title()).toMatch(/^Synthetic .* 1, 2026$/)
  expect(await page.locator('svg .match').count()).toBe(14)
  const { Rankings } = await app.scout.json('/2026/rankings/SY001')
  expect(await page.locator('[aria-labelledby=ranking] tbody tr').count()).toBe(Rankings.length)
  const { Schedule } = await app.scout.json('/2026/schedule/SY001')
  expect(await page.locator('[aria-labelledby=schedule] tbody tr').count()).toBe(Schedule.length)
  expect(await flawsOf(page, 'event')).toEqual([])
  expect(problems).toEqual([])
})

test('the page of an event without matches escapes its name', async () => {
  const events = [{ code: 'ODD', type: 'Regional', name: '<script>alert(1)</script> & "more"' }]
  await app.scout.import({ season: 2025, whole: async () => ({ lists: { events } }), async *events() {} })
  await expect.poll(async () => (await app.scout.get('/2025/events')).status).toBe(200)
  const { page } = await open('/pages/2025/ODD')
  expect(await page.locator('h1').textContent()).toBe('<script>alert(1)</script> & "more"')
  expect(await page.locator('main').textContent()).toContain('Nothing has been played yet.')
  expect(await flawsOf(page, 'odd-event')).toEqual([])
})

test('a page requires credentials, and an unknown event returns 404', async () => {
  const at = `${app.url}/robotics-statistics/pages/2026`
  expect((await fetch(`${at}/SY001`)).status).toBe(401)
  const { authorization } = app.scout
  expect((await fetch(`${at}/NOSUCH`, { headers: { authorization } })).status).toBe(404)
})
