import { readFile } from 'node:fs/promises'
import { flawsOf } from '@icosa/testing/browser'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { photosOf } from '../../services/face-recognition/src/testing/photos.ts'
import { Workshop } from '../../services/unpack-analysis/src/testing/build.ts'
import { openConsole } from './node.ts'
import { resourcesOf } from './panel-resources.ts'

const console = openConsole()
const resources = resourcesOf(() => console.app)

interface Place {
  readonly path: string
  readonly tab: string
  readonly scope?: Readonly<Record<string, string>>
  readonly item?: Readonly<Record<string, string>>
}

/** Opens a tab by its address, and returns what it shows. */
async function open({ path, tab, scope, item }: Place) {
  const search = new URLSearchParams({
    ...(scope && { scope: JSON.stringify(scope) }),
    ...(item && { item: JSON.stringify(item) }),
    tab,
  })
  await console.page.goto(`${console.app.url}/console${path}?${search}`)
  const panel = console.page.getByRole('region', { name: tab, exact: true }).first()
  await panel.waitFor()
  return panel
}

const flaws = (name: string) => flawsOf(console.page, `panel-${name}`)

test('a state machine is a diagram, with its instances', async () => {
  await resources.detectors()
  const place = { path: '/event-detection/ListDetectorModels', item: { detectorModelName: 'heating' } }
  const panel = await open({ ...place, tab: 'Diagram' })
  await expect.poll(() => panel.locator('.node').allTextContents()).toEqual(['● normal (1)', 'warm (1)', 'alarm (1)'])
  expect(await panel.locator('.arrow').count()).toBe(5)
  expect(await panel.locator('.legend').textContent()).toContain('$input.reading.celsius > 30')
  expect(await flaws('machine')).toEqual([])
})

test('a function is called, and its log has lines, which follow', async () => {
  await resources.function()
  const place = { path: '/functions/listFunctions', scope: { project: 'demo', location: 'us-central1' } }
  const panel = await open({ ...place, item: { function: 'greet' }, tab: 'Logs' })
  await panel.getByText('There are no lines yet.').waitFor()
  const call = await open({ ...place, item: { function: 'greet' }, tab: 'Call' })
  await call.getByLabel('path').fill('/?name=Ada')
  await submit(call)
  await expect.poll(() => call.locator('.reply').textContent(), { timeout: 30_000 }).toContain('201')
  expect(await call.locator('pre.cut').textContent()).toBe('hello Ada')
  expect(await flaws('response')).toEqual([])
  await console.page.getByRole('tab', { name: 'Logs' }).click()
  await expect.poll(() => panel.locator('.lines').textContent(), { timeout: 30_000 }).toContain('called by GET')
  expect(await panel.locator('.lines .wrong').textContent()).toContain('a warning')
  expect(await flaws('lines')).toEqual([])
}, 180_000)

/** Sends the form of a panel. */
const submit = (panel: Locator) => panel.getByRole('button', { name: 'Send', exact: true }).click()

test('braille is dots, and text again', async () => {
  const panel = await open({ path: '/braille-translation', tab: 'Translate' })
  await submit(panel)
  await expect.poll(() => panel.locator('.cells svg').count()).toBe(9)
  expect(await panel.locator('.cells svg').nth(1).getAttribute('aria-label')).toBe('dots 125')
  expect(await panel.locator('.cells svg').nth(1).locator('.raised').count()).toBe(3)
  expect(await flaws('dots')).toEqual([])
  const back = await open({ path: '/braille-translation', tab: 'Back to text' })
  await submit(back)
  await expect.poll(() => back.locator(':scope > .copyable pre').textContent()).toMatch(/^hello/)
})

test('faces are boxes on the picture that was sent', async () => {
  const panel = await open({ path: '/face-recognition', tab: 'Detect' })
  const [photo = Buffer.alloc(0)] = photosOf(0)
  await panel.locator('input[type=file]').setInputFiles({ name: 'ada.png', mimeType: 'image/png', buffer: photo })
  await submit(panel)
  await panel.locator('.boxes image').waitFor({ timeout: 30_000 })
  expect(await panel.locator('.boxes rect').count()).toBe(1)
  expect(await panel.locator('.legend').textContent()).toMatch(/\d+ × \d+ at \d+, \d+/)
  expect(await flaws('boxes')).toEqual([])
})

test('key-values have their earlier values, and recovery points are days of a calendar', async () => {
  await resources.store()
  const subscriptionId = '00000000-0000-0000-0000-000000000001'
  const item = { subscriptionId, resourceGroupName: 'demo', configStoreName: 'settings' }
  const path = '/configuration-stores/ConfigurationStores_List'
  const panel = await open({ path, scope: { subscriptionId }, item, tab: 'Values' })
  await panel.getByText('blue', { exact: true }).waitFor()
  await panel.getByText('2 earlier values').click()
  expect(await panel.locator('.values details code').allTextContents()).toEqual(['green', 'red'])
  expect(await flaws('values')).toEqual([])

  await resources.recoveryPoint()
  const calendar = await open({ path: '/backup/ListBackupVaults', item: { backupVaultName: 'daily' }, tab: 'Calendar' })
  await calendar.locator('.days button').waitFor()
  await calendar.getByText(/configurationStores\/settings$/).waitFor()
  expect(await flaws('calendar')).toEqual([])
  await calendar.getByRole('button', { name: 'Start restore job' }).click()
  const dialog = console.page.getByRole('dialog')
  await expect.poll(() => dialog.getByLabel('RecoveryPointArn').inputValue()).toMatch(/^arn:/)
}, 180_000)

test('a statement has a result, and a plan', async () => {
  await resources.database()
  const scope = {
    subscriptionId: '00000000-0000-0000-0000-000000000001',
    resourceGroupName: 'demo',
    serverName: 'main',
  }
  const place = { path: '/sql-databases/Databases_ListByServer', scope, item: { databaseName: 'orders' } }
  const panel = await open({ ...place, tab: 'Query' })
  await panel
    .getByLabel('statement')
    .fill('select n, null as nothing, 12.50::numeric as price from generate_series(1, 3) n')
  await submit(panel)
  await expect
    .poll(() => panel.locator('tbody tr').allTextContents())
    .toEqual(['1null12.50', '2null12.50', '3null12.50'])
  expect(await panel.locator('th').allTextContents()).toEqual(['n int4', 'nothing text', 'price numeric'])
  expect(await flaws('query')).toEqual([])
  await panel.getByText('1 more field').click()
  await panel.getByLabel('explain').selectOption('yes')
  await submit(panel)
  await panel
    .getByRole('region', { name: 'Plan' })
    .getByText(/Function Scan/)
    .waitFor()
}, 120_000)

test('an account is postings with its balance over time', async () => {
  const { user, account } = await resources.account()
  const place = { path: '/banking/listBankAccounts', scope: { userID: user }, item: { itemId: account } }
  const panel = await open({ ...place, tab: 'Ledger' })
  await panel.locator('.balance').waitFor()
  const cells = await panel.locator('td[data-label="Balance"]').allTextContents()
  expect(cells).toEqual(['349.50', '380.00', '500.00'])
  expect(await flaws('postings')).toEqual([])
})

test('contributions are points on a map, and media are shown if they are of this node', async () => {
  const { assignment, contribution } = await resources.contributions()
  const place = { path: '/contribution-collection/listAssignments', item: { id: assignment } }
  const map = await open({ ...place, tab: 'Map' })
  await expect.poll(() => map.locator('.map circle').count()).toBe(3)
  expect(await map.locator('.legend').textContent()).toContain('Snow in Lisbon 38.7° N, 9.1° W')
  expect(await flaws('map')).toEqual([])
  const other = { path: '/contribution-collection/listContributions', item: { id: contribution } }
  const media = await open({ ...other, tab: 'Media' })
  await media.locator('img').first().waitFor()
  await expect
    .poll(() =>
      media
        .locator('img')
        .first()
        .evaluate((image) => (image as { naturalWidth?: number }).naturalWidth),
    )
    .toBeGreaterThan(0)
  expect(await flaws('media')).toEqual([])
}, 120_000)

test('what a language app understands is marked, with scores', async () => {
  const appId = await resources.languageApp()
  const place = { path: '/language-authoring/Versions_List', scope: { appId }, item: { versionId: '0.1' } }
  const panel = await open({ ...place, tab: 'Test' })
  await submit(panel)
  await expect.poll(() => panel.locator('mark').textContent({ timeout: 90_000 }), { timeout: 90_000 }).toBe('Rome City')
  expect(await panel.locator('.ranking li').first().textContent()).toMatch(/^BookFlight/)
  expect(await flaws('marked')).toEqual([])
}, 180_000)

test('an unpacked program is bytes, its rule a tree', async () => {
  using workshop = new Workshop()
  const buffer = workshop.pack(await readFile('/bin/ls'))
  const file = { name: 'ls', mimeType: 'application/octet-stream', buffer }
  const panel = await open({ path: '/unpack-analysis', tab: 'Unpack' })
  await panel.locator('input[type=file]').setInputFiles(file)
  await submit(panel)
  await expect.poll(() => panel.locator('.hex').textContent(), { timeout: 60_000 }).toMatch(/^00000000 {2}7f 45 4c 46/)
  expect(await panel.locator('.fields').textContent()).toContain('UPX')
  await panel.getByRole('button', { name: 'Next' }).click()
  expect(await panel.locator('.hex').textContent()).toMatch(/^00000400/)
  expect(await flaws('hex')).toEqual([])
  const rule = await open({ path: '/unpack-analysis', tab: 'Write a rule' })
  await rule.locator('input[type=file]').setInputFiles(file)
  await submit(rule)
  await rule.locator('.tree').getByText('sha256sum').waitFor({ timeout: 60_000 })
  expect(await flaws('tree')).toEqual([])
}, 180_000)

test('a group has a table of its resources, read by a POST that changes nothing', async () => {
  const query = { ResourceTypeFilters: ['AWS::AllSupported'], TagFilters: [{ Key: 'app' }] }
  const group = { Name: 'everything', ResourceQuery: { Type: 'TAG_FILTERS_1_0', Query: JSON.stringify(query) } }
  const { Group: made } = await resources.send('resource-groups', 'POST', '/groups', group)
  const place = { path: '/resource-groups/ListGroups', item: { Group: made.GroupArn } }
  const panel = await open({ ...place, tab: 'Resources' })
  await panel.getByText('There is nothing yet.').waitFor()
  expect(console.incidents).toEqual([])
})
