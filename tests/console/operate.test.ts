import { request } from 'node:http'
import { flawsOf } from '@icosa/testing/browser'
import { expect, test } from 'vitest'
import { Hands } from './hands.ts'
import { openConsole } from './node.ts'

// Snapshots need a PostgreSQL of their own.
const console = openConsole({ services: ['face-recognition', 'braille-translation'] })

interface Answer {
  readonly status: number
  readonly body: unknown
}

async function send(method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
  const response = await fetch(`${console.app.url}/platform${path}`, {
    method,
    headers: { 'x-api-key': 'icosa-dev-key', 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text && JSON.parse(text) }
}

const putGroup = async (id: string) => {
  const answer = await console.app.fetch('face-recognition', `/persongroups/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: id }),
  })
  expect(answer.status).toBe(200)
}
const statusOfGroup = async (id: string) => (await console.app.fetch('face-recognition', `/persongroups/${id}`)).status

const saved = (name: string) => console.page.getByText(`Saved ${name}`, { exact: false }).waitFor({ timeout: 60_000 })

test('faults are added, counted in the top bar, and removed by keyboard', async () => {
  const { app, page } = console
  await console.go('/-/development')
  await page.getByRole('button', { name: 'Add a fault' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('target').fill('braille-translation:list*')
  await dialog.getByLabel('kind').selectOption('throttle')
  await dialog.getByLabel('delayMs').fill('')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: '1 fault', exact: true }).waitFor()
  const refused = await app.fetch('braille-translation', '/tables')
  expect([refused.status, refused.headers.get('icosa-fault')]).toEqual([429, expect.stringContaining('throttle')])
  await page.getByText('1 of 1 requests').waitFor()
  expect(await flawsOf(page, 'faults')).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: /^Remove .*throttle/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('None is active.').waitFor()
  expect((await app.fetch('braille-translation', '/tables')).status).toBe(200)
}, 60_000)

test('addFault: a fault of everything spares the operations that remove it', async () => {
  const added = await send('POST', '/faults', { target: '*', kind: 'error' })
  expect(added.status).toBe(201)
  expect(await statusOfGroup('none')).toBe(503)
  expect((await send('GET', '/faults')).body).toMatchObject({ faults: [{ target: '*', hit: 1 }] })
  expect(await send('DELETE', '/faults')).toEqual({ status: 200, body: { removed: 1 } })
  expect(await send('DELETE', '/faults/f1')).toMatchObject({ status: 404 })
  expect(await send('POST', '/faults', { target: 'platform:*', kind: 'drop' })).toMatchObject({ status: 400 })
  expect(await send('POST', '/faults', { target: '<script>', kind: 'drop' })).toMatchObject({
    ...{ status: 400, body: { error: { message: expect.stringContaining("called '<script>'") } } },
  })
})

test('the state is saved, compared and brought back', async () => {
  const { page } = console
  await console.go('/-/development')
  const name = page.getByLabel('Name of a new snapshot')
  await name.fill('before')
  await page.keyboard.press('Enter')
  await saved('before')
  await putGroup('fresh')
  await name.fill('after')
  await page.keyboard.press('Enter')
  await saved('after')
  await page.getByRole('button', { name: 'Show changes' }).click()
  const row = page.getByRole('row', { name: /^face_recognition\.\w+ [1-9]/ })
  await row.first().waitFor({ timeout: 60_000 })
  expect(await flawsOf(page, 'snapshots')).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Go back to before' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Go back to before' }).click()
  await page.getByText('Went back to before').waitFor({ timeout: 60_000 })
  expect(await statusOfGroup('fresh')).toBe(404)

  const same = await send('GET', '/snapshots/before/changes?to=before')
  expect(same).toEqual({ status: 200, body: { tables: [] } })
  await page.getByRole('button', { name: 'Delete after' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete after' }).click()
  await page.getByRole('button', { name: 'Delete after' }).waitFor({ state: 'detached' })
}, 180_000)

test('names of snapshots are no paths, and one action runs at a time', async () => {
  for (const name of ['..%2f..%2fetc', '.hidden', '%00', 'a'.repeat(101)])
    expect((await send('PUT', `/snapshots/${name}`)).status, name).toBe(400)
  expect((await send('POST', '/snapshots/nothing/restore')).status).toBe(404)
  expect((await send('GET', '/snapshots/before/changes?to=..')).status).toBe(400)
  const both = await Promise.all([send('PUT', '/snapshots/one'), send('PUT', '/snapshots/two')])
  expect(both.map(({ status }) => status).sort()).toEqual([202, 409])
  await expect
    .poll(() => send('GET', '/snapshots').catch(() => undefined), { timeout: 60_000, interval: 200 })
    .toMatchObject({ body: { action: { state: 'succeeded' } } })
}, 90_000)

/** Status of a form post, which a page of another origin can send without a preflight. */
const statusFor = (path: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    request(`${console.app.url}/platform${path}`, { method: 'POST', headers }, ({ statusCode }) => resolve(statusCode))
      .on('error', reject)
      .end('target=*&kind=drop')
  })

test('other pages, other hosts and other credentials change nothing', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' }
  expect(await statusFor('/faults', form)).toBe(403)
  expect(await statusFor('/snapshots/before/restore', form)).toBe(403)
  expect(await statusFor('/faults', { host: 'rebound.example', 'x-api-key': 'icosa-dev-key' })).toBe(403)
  expect((await send('POST', '/faults', {}, { 'x-api-key': 'wrong' })).status).toBe(401)
  const { fetch: fetchAs } = await console.app.tenant('eve', ['face-recognition:*'])
  expect((await fetchAs('face-recognition', '/persongroups')).status).toBe(200)
  const preflight = await fetch(`${console.app.url}/platform/faults`, { method: 'OPTIONS', headers: form })
  expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
  expect((await send('GET', '/faults')).body).toEqual({ faults: [] })
})

test('operators see tenants, keys, nodes and queues, and prove the audit log', async () => {
  const { page } = console
  await send('PUT', '/clock', { reset: true }) // a change, which is in the audit log
  const listed = async (path: string, cell: string) => {
    await console.go(`/operator/${path}`)
    await page.getByRole('cell', { name: cell, exact: true }).first().waitFor()
    expect(await flawsOf(page, path)).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })
  }
  await listed('listTenants', 'dev')
  await page.getByRole('link', { name: 'dev', exact: true }).first().click()
  await page.getByRole('complementary', { name: 'dev' }).getByText('Credentials').waitFor()
  await listed('listKeys', 'key_dev')
  await listed('listNodes', 'API and worker')
  await listed('listAuditChains', 'dev')
  await page.getByRole('link', { name: 'dev', exact: true }).first().click()
  const chain = page.getByRole('complementary', { name: 'dev' })
  await chain.getByText('intact').first().waitFor()
  await chain.getByRole('link', { name: 'Records' }).click()
  await page.getByRole('cell', { name: 'platform:moveClock' }).first().waitFor()
  expect(await flawsOf(page, 'listAuditRecords')).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
}, 60_000)

test('operators create a tenant, limit it, assume its role and delete it, by clicks', async () => {
  const { page } = console
  const hands = new Hands(console)
  await hands.visit('Operation of the cell', 'Tenants')
  await hands.create({ tenant: 'acme' })
  await hands.shows(/Active/)
  await hands.act('Assume role', { reason: 'A test of operators', permissions: '["face-recognition:*"]' })
  await hands.enter('Limits')
  await hands.create({ service: '*', kind: 'requests', amount: '7' })
  await page.getByRole('cell', { name: '7', exact: true }).waitFor()
  await hands.visit('Operation of the cell', 'Audit log')
  await hands.open('acme')
  await hands.enter('Records')
  for (const operation of ['createKey', 'assumeRole', 'setLimit'])
    await page
      .getByRole('cell', { name: `operator:${operation}` })
      .first()
      .waitFor()
  await hands.visit('Operation of the cell', 'Tenants')
  await hands.open('acme')
  await hands.inspector.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/Type/).fill('acme')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Deleting').waitFor()
  await expect.poll(() => page.locator('a.row', { hasText: 'acme' }).count(), { timeout: 120_000 }).toBe(0)
}, 240_000)

test("a tenant's own key shows nothing of the cell", async () => {
  const eve = await console.app.tenant('eve')
  const catalogue = await eve.fetch('platform', '/catalogue').catch(() => undefined)
  const key = await send('GET', '/catalogue')
  expect(JSON.stringify(key.body)).toContain('listTenants')
  if (catalogue) expect(await catalogue.text()).not.toContain('listTenants')
})

test('nothing ran that must not, and nothing went wrong in the page', () => {
  expect(console.incidents).toEqual([])
})
