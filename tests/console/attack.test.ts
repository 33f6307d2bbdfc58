import { operationsOfService } from '@icosa/kernel'
import { platform } from '@icosa/platform'
import { example, startTestApp } from '@icosa/testing'
import { openChromium } from '@icosa/testing/browser'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { front } from '../../apps/server/src/front/front.ts'
import { allServices } from '../../apps/server/src/services.ts'
import { hostileReplies, long, payloads } from './hostile.ts'
import { openConsole } from './node.ts'

const console = openConsole()
const services = await allServices()

beforeAll(async () => {
  await console.page.exposeFunction('evil', () => console.incidents.push('a script ran'))
  await console.page.reload()
})

afterEach(async () => {
  expect(await flaws()).toEqual([])
  expect(console.incidents.splice(0)).toEqual([])
})

/** What a payload has achieved on the page that is shown. */
const flaws = () =>
  console.page.evaluate<string[]>(`[
    ...[...document.querySelectorAll('[data-evil], main script, main iframe, main img')].map((one) => one.outerHTML.slice(0, 200)),
    ...[...document.querySelectorAll('a[href]')].map((one) => one.href).filter((href) => !/^https?:/.test(href)),
    ...('evil' in {} || {}.polluted ? ['the prototype of objects was changed'] : []),
  ]`)

interface Catalogue {
  readonly views: readonly { readonly id: string; readonly title: string; readonly get?: string }[]
  readonly apis: readonly {
    readonly operations: readonly {
      readonly id: string
      readonly path: string
      readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
    }[]
  }[]
}

const catalogueOf = async (service: string): Promise<Catalogue> =>
  (await console.app.fetch('platform', `/catalogue/${service}`)).json() as Promise<Catalogue>

/** Answers reads of a service with payloads, as if its rows contained them. */
async function answerWithPayloads(name: string): Promise<void> {
  const service = services.find((one) => one.name === name)
  const replies = hostileReplies()
  const reads = (service ? operationsOfService(service) : []).map(({ operation }) => ({
    operation,
    path: new RegExp(`^/${name}${operation.path.replace(/[.$()]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]*')}/?$`, 'i'),
  }))
  await console.page.route(
    (url) => url.pathname.startsWith(`/${name}/`),
    async (route) => {
      const method = route.request().method()
      const path = new URL(route.request().url()).pathname
      const read = reads.find((one) => one.operation.method === method && one.path.test(path))
      await route.fulfill({ json: replies(read?.operation.replies[200]) })
    },
  )
}

describe.each(services.map(({ name }) => name))('%s', (name) => {
  test('texts in its replies stay texts, in table and inspector', async () => {
    const { page } = console
    const { views, apis } = await catalogueOf(name)
    await answerWithPayloads(name)
    const operations = apis.flatMap((api) => api.operations)
    for (const view of views) {
      const list = operations.find(({ id }) => id === view.id)
      const names = (list?.parameters ?? []).filter((one) => one.required).map((one) => one.name)
      const scope = JSON.stringify(Object.fromEntries(names.map((one) => [one, payloads[0]])))
      await console.go(`/${name}/${view.id}?scope=${encodeURIComponent(scope)}`)
      await page.getByRole('heading', { level: 1, name: view.title, exact: true }).waitFor()
      const row = page.locator('a.row').first()
      await row.or(page.locator('.empty, main .problem')).first().waitFor()
      expect(await flaws(), view.id).toEqual([])
      if ((await row.count()) === 0) continue
      await row.click()
      const inspector = page.getByRole('complementary')
      for (const tab of await inspector.getByRole('tab').all()) {
        await tab.click()
        expect(await flaws(), view.id).toEqual([])
      }
    }
    await page.unrouteAll()
  })
})

test('a megabyte of markup in a name is shown as text', async () => {
  const { page } = console
  const group = { personGroupId: 'long', name: long, userData: long, recognitionModel: 'recognition_04' }
  await page.route(/persongroups/, (route) =>
    route.fulfill({ json: route.request().url().endsWith('/long') ? group : [group] }),
  )
  await console.go('/face-recognition/PersonGroup_List')
  await page.locator('a.row').first().click()
  await page.getByRole('tab', { name: 'JSON' }).click()
  await expect.poll(() => page.getByRole('tabpanel').textContent()).toContain('data-evil')
  await page.unrouteAll()
})

test('texts in requests, their history, and search results stay texts', async () => {
  const { app, page } = console
  const [image, , , vector] = payloads
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ name: image, userData: vector })
  const path = `/persongroups/${encodeURIComponent(image)}?x=${encodeURIComponent(vector)}`
  await console.go('/-/requests')
  await page.getByText('live', { exact: true }).waitFor()
  expect((await app.fetch('face-recognition', path, { method: 'PUT', headers, body })).status).toBe(400)
  expect((await app.fetch('face-recognition', '/persongroups/evil', { method: 'PUT', headers, body })).status).toBe(200)
  for (const name of ['evil', 'onerror']) {
    await page
      .getByRole('link', { name: new RegExp(`^PUT .*${name}`) })
      .first()
      .click()
    await page.getByRole('complementary').getByText('data-evil').first().waitFor()
    await page.getByRole('complementary').locator('.timeline, .muted').first().waitFor()
    expect(await flaws()).toEqual([])
  }
  await page.locator('#search').fill('data-evil')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Person groups' }).waitFor()
})

test('members of a URL with names such as `__proto__` change no object', async () => {
  const { app, page } = console
  const item = encodeURIComponent('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')
  await page.goto(`${app.url}/console/backup/ListBackupVaults?item=${item}&scope=${item}&__proto__[polluted]=1`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('complementary').waitFor()
})

/** Resources of another tenant: service, list, path, body, and the parameter of its name. */
const foreign = [
  ['face-recognition', 'PersonGroup_List', '/persongroups/theirs', { name: 'Their secret' }, 'personGroupId', {}],
  ['backup', 'ListBackupVaults', '/backup-vaults/theirs', {}, 'backupVaultName', {}],
  [
    'configuration-stores',
    'ConfigurationStores_List',
    '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/demo/providers/Vendor.AppConfiguration/configurationStores/theirs?api-version=2023-03-01',
    { location: 'westus', sku: { name: 'Free' }, tags: { secret: 'Their secret' } },
    'configStoreName',
    { resourceGroupName: 'demo' },
  ],
] as const

test.each(foreign)(
  '%s: another tenant sees no more of a resource than that there is none',
  async (service, view, path, body, param, place) => {
    const { app, page } = console
    const other = await app.tenant('other')
    const headers = { 'content-type': 'application/json' }
    const put = await other.fetch(service, path, { method: 'PUT', headers, body: JSON.stringify(body) })
    expect(put.status).toBeLessThan(300)
    const show = async (name: string) => {
      await console.go(`/${service}/${view}?item=${encodeURIComponent(JSON.stringify({ ...place, [param]: name }))}`)
      const inspector = page.getByRole('complementary', { name, exact: true })
      await inspector.locator('.problem').waitFor()
      return (await inspector.textContent())?.replaceAll(name, '')
    }
    const theirs = await show('theirs')
    expect(theirs).toBe(await show('nobody'))
    expect(theirs).toMatch(/no longer exists|not found|does not exist/)
    expect(await page.getByRole('complementary').getByRole('button').allTextContents()).toEqual(['×'])
  },
)

test('a credential is in no URL, header of origin, history or storage', async () => {
  const all = [example, platform]
  await using app = await startTestApp({ services: all, front: front(all) })
  await using opened = new AsyncDisposableStack()
  const browser = await openChromium()
  opened.defer(() => browser.close())
  const page = await browser.newPage()
  const key = await app.key('ada')
  const sent: string[] = []
  page.on('request', (request) => {
    const { referer = '', cookie = '' } = request.headers()
    sent.push(`${request.url()} ${referer} ${cookie}`)
  })
  await page.goto(`${app.url}/console`)
  await page.getByLabel('Key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Notes', exact: true }).first().click()
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByLabel('title').fill('Kept')
  await page.getByText('Show request').click()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('link', { name: 'Kept' }).click()
  await page.getByRole('tab', { name: 'Code' }).click()
  const kept = await page.evaluate<string>(`(async () => JSON.stringify([
    { ...localStorage }, { ...sessionStorage }, document.cookie, history.state, location.href, name, document.body.innerHTML,
    await indexedDB.databases(), await caches.keys(), performance.getEntries().map((entry) => entry.name),
  ]))()`)
  expect(sent.length).toBeGreaterThan(5)
  expect(sent.filter((text) => text.includes(key) || text.includes('http', 4))).toEqual([])
  expect(kept).toContain('Kept')
  expect(kept).not.toContain(key)
})
