import { operationsOfService } from '@icosa/kernel'
import { platform } from '@icosa/platform'
import { operatorWith } from '@icosa/platform/operator'
import { flawsOf } from '@icosa/testing/browser'
import { expect, test } from 'vitest'
import { allServices } from '../../apps/server/src/services.ts'
import { openConsole } from './node.ts'

const console = openConsole()
/** The key of development mode. */
const key = 'icosa-dev-key'
const services = await allServices()

test("the service's error message is shown at its field", async () => {
  const { page } = console
  await console.go('/configuration-stores/ConfigurationStores_List?act=create')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('configStoreName').fill('a')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect.poll(() => dialog.locator('.field.wrong label').textContent()).toMatch(/^configStoreName/)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('markup in names and tags is shown as text', async () => {
  const { app, page, incidents } = console
  const attack = `<img src=x onerror=alert(1)>"'><script>alert(2)</script>`
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({
    client_name: attack,
    redirect_uris: ['https://example.com/'],
    client_uri: 'javascript:alert(3)',
  })
  const created = await app.fetch('identity-connect', '/client', { method: 'POST', headers, body })
  expect([201, 400]).toContain(created.status)
  const group = JSON.stringify({ name: attack, userData: attack })
  const grouped = await app.fetch('face-recognition', '/persongroups/attack', { method: 'PUT', headers, body: group })
  expect(grouped.status).toBe(200)
  await console.go('/face-recognition/PersonGroup_List')
  await page.getByRole('link', { name: attack, exact: true }).click()
  await page.getByRole('complementary').getByText(attack).first().waitFor()
  expect(await page.locator('main img, main script').count()).toBe(0)
  await page.locator('#search').fill('onerror')
  await page.getByRole('option').first().waitFor()
  expect(await page.locator('a[href^="javascript:"]').count()).toBe(0)
  expect(incidents).toEqual([])
})

test('a click anywhere in a row opens it', async () => {
  const { page } = console
  await console.go('/braille-translation/listTables')
  const row = page.locator('tbody tr').nth(2)
  const name = (await row.locator('a.row').textContent()) ?? ''
  const { x = 0, y = 0, width = 0 } = (await row.boundingBox()) ?? {}
  await page.mouse.click(x + width - 5, y + 5)
  await page.getByRole('complementary', { name }).waitFor()
})

test('keyboard shortcuts search, select rows and show help', async () => {
  const { page } = console
  await console.go('/braille-translation/listTables')
  await page.locator('a.row').first().waitFor()
  await page.locator('h1').click()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  expect(await page.evaluate('document.activeElement.className')).toBe('row')
  await page.keyboard.press('Enter')
  await page.getByRole('complementary').waitFor()
  await page.locator('h1').click()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  expect(await page.evaluate('document.activeElement.id')).toBe('search')
})

test.each([
  ['home', ''],
  ['table', '/braille-translation/listTables?filter=span'],
  ['inspector', '/face-recognition/PersonGroup_List?item=%7B%22personGroupId%22%3A%22attack%22%7D'],
  ['form', '/configuration-stores/ConfigurationStores_List?act=create'],
  ['service', '/backup'],
])('%s is accessible and fits the window, narrow and wide, light and dark', async (name, path) => {
  const { page } = console
  await page.goto(`${console.app.url}/console${path}`)
  await page.locator('h1').waitFor()
  await page.waitForLoadState('networkidle')
  expect(await flawsOf(page, `console-${name}`)).toEqual([])
})

test('requests appear live with the jobs in their trace, and can be sent again', async () => {
  const { app, page } = console
  await console.go('/-/requests')
  await page.getByText('live', { exact: true }).waitFor()
  const headers = { 'content-type': 'application/json' }
  const store =
    '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/demo/providers/Vendor.AppConfiguration/configurationStores/watched'
  const body = JSON.stringify({ location: 'westus', sku: { name: 'Standard' } })
  const put = { method: 'PUT', headers, body }
  expect((await app.fetch('configuration-stores', `${store}?api-version=2023-03-01`, put)).status).toBeLessThan(300)
  await page.getByRole('link', { name: /^PUT .*\/watched$/ }).click()
  const inspector = page.getByRole('complementary')
  await expect.poll(() => inspector.locator('.timeline').textContent(), { timeout: 30_000 }).toMatch(/request .* job /)
  expect(await inspector.textContent()).not.toContain(key)
  await inspector.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => inspector.getByRole('status').textContent()).toMatch(/^returned 20[01]$/)
  await expect.poll(() => page.getByRole('link', { name: /^PUT .*\/watched$/ }).count()).toBe(2)
  expect(await flawsOf(page, 'console-requests')).toEqual([])
})

test('home shows traffic by service, and recent errors with links to their requests', async () => {
  const { app, page } = console
  for (const name of ['first', 'second'])
    expect((await app.fetch('backup', `/backup-vaults/${name}`)).status).toBeGreaterThanOrEqual(400)
  await page.goto(app.url)
  await expect.poll(() => page.url()).toBe(`${app.url}/console`)
  const traffic = page.getByRole('row', { name: /^Backup / })
  await expect.poll(() => traffic.textContent()).toMatch(/[2-9]\d* failed/)
  const errors = page.locator('section', { has: page.getByRole('heading', { name: 'Recent errors' }) })
  expect(await errors.getByRole('listitem').count()).toBeLessThanOrEqual(5)
  // More requests than the page of requests lists by default
  for (let index = 0; index < 110; index++) await app.fetch('backup', '/backup-vaults')
  expect(await flawsOf(page, 'console-traffic')).toEqual([])
  await errors.getByRole('link', { name: 'GET /backup/backup-vaults/second' }).click()
  await page.getByRole('complementary', { name: 'GET /backup/backup-vaults/second' }).waitFor()
  expect(new URL(page.url()).searchParams.get('show')).toBe('errors')
})

test('queued jobs, operations, timers and schedules are listed', async () => {
  const { page } = console
  await console.go('/-/jobs')
  await page
    .getByRole('cell', { name: /^platform: / })
    .first()
    .waitFor()
  expect(await flawsOf(page, 'console-jobs')).toEqual([])
})

/** Creates a job whose request fails, so that its retry is due in an hour. */
async function retryInAnHour() {
  const send = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const collection =
      '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/demo/providers/Vendor.Scheduler/jobCollections/nightly'
    const put = { method: 'PUT', headers, body: JSON.stringify(body) }
    const { status } = await console.app.fetch('job-scheduler', `${collection}${path}?api-version=2016-03-01`, put)
    expect(status).toBeLessThan(300)
  }
  await send('', { location: 'global' })
  const retryPolicy = { retryType: 'Fixed', retryInterval: 'PT1H', retryCount: 2 }
  const request = { uri: 'https://receiver.invalid/', method: 'GET' }
  await send('/jobs/report', { properties: { action: { type: 'Https', request, retryPolicy } } })
}

test('the clock advances to the next timer, and the job that fired is shown', async () => {
  const { app, page } = console
  const reset = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
  expect((await app.fetch('platform', '/reset', reset)).status).toBe(200) // so that no other timer is the next
  await retryInAnHour()
  await console.go('/-/development')
  const clock = page.getByRole('region', { name: 'Clock' })
  const state = clock.getByRole('status')
  await page.getByRole('link', { name: 'clock: now' }).waitFor()
  await clock.getByRole('button', { name: 'Freeze' }).click()
  await expect.poll(() => state.textContent()).toBe('frozen')
  await page.getByRole('link', { name: /^frozen: / }).waitFor()
  const timers = page.getByRole('region', { name: 'Timers' })
  await timers.getByText('deliver', { exact: true }).first().waitFor({ timeout: 30_000 })
  await timers.getByRole('button', { name: 'Advance to the next timer' }).click()
  await expect
    .poll(() => timers.locator('.fired').textContent(), { timeout: 30_000 })
    .toMatch(/completed job job-scheduler:deliver/)
  expect(await state.textContent()).toMatch(/^frozen, (1 hour|\d+ minutes) ahead of real time$/)
  await clock.getByLabel('Time (UTC)').fill('2040-06-01T12:00')
  await clock.getByRole('button', { name: 'Set' }).click()
  await clock.getByText('2040-06-01 12:00:00').waitFor()
  await clock.getByRole('button', { name: 'Advance 1 day' }).click()
  await clock.getByText('2040-06-02 12:00:00').waitFor()
  expect(await flawsOf(page, 'console-development')).toEqual([])
  await clock.getByRole('button', { name: 'Back to real time' }).click()
  await expect.poll(() => state.textContent()).toBe('real time')
}, 120_000)

test('resetting a service requires its name and deletes its resources', async () => {
  const { app, page } = console
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Lost' })
  const group = '/persongroups/lost'
  expect((await app.fetch('face-recognition', group, { method: 'PUT', headers, body })).status).toBe(200)
  await console.go('/-/development')
  const reset = page.getByRole('region', { name: 'Reset' })
  await reset.getByLabel('Service').selectOption('face-recognition')
  await reset.getByRole('button', { name: 'Reset' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByRole('button', { name: 'Reset' }).isDisabled()).toBe(true)
  expect(await flawsOf(page, 'console-reset')).toEqual([])
  await dialog.getByLabel(/^Type /).fill('face-recognition')
  await dialog.getByRole('button', { name: 'Reset' }).click()
  await reset.getByText(/^[1-9]\d* rows? (was|were) deleted\.$/).waitFor()
  expect((await app.fetch('face-recognition', group, {})).status).toBe(404)
})

test('the console sends only public operations', () => {
  const public_ = [...services, platform, operatorWith()].flatMap((service) =>
    operationsOfService(service).map(({ operation }) => ({
      method: operation.method,
      path: new RegExp(
        `^/${service.name}${operation.path.replace(/[.$]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}/?$`,
        'i',
      ),
    })),
  )
  const foreign = console.requests.filter(({ method, url }) => {
    const { origin, pathname } = new URL(url)
    if (url.startsWith('data:') || (origin === console.app.url && /^\/(console.*)?$/.test(pathname))) return false
    return origin !== console.app.url || !public_.some((one) => one.method === method && one.path.test(pathname))
  })
  expect(console.requests.length).toBeGreaterThan(100)
  expect(foreign).toEqual([])
  expect(console.requests.filter(({ url }) => url.includes(key))).toEqual([])
})
