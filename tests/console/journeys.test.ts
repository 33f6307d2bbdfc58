import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { photosOf } from '../../services/face-recognition/src/testing/photos.ts'
import { importSeason } from '../../services/robotics-statistics/src/import/import.ts'
import { syntheticSeason } from '../../services/robotics-statistics/src/synthetic/season.ts'
import { crawl } from './crawl.ts'
import { type Filled, Hands } from './hands.ts'
import { openConsole } from './node.ts'

const console = openConsole()
const hands = new Hands(console)

afterEach(async () => {
  for (let open = 3; open > 0 && (await console.page.getByRole('dialog').count()) > 0; open--)
    await console.page.keyboard.press('Escape')
  expect(console.incidents.splice(0)).toEqual([])
})

/** Resources that are created and deleted from one list: service, list, values to fill in, name of the row. */
const simple: readonly (readonly [service: string, list: string, filled: Filled, name: string])[] = [
  ['Configuration stores', 'Configuration stores', { configStoreName: 'settings' }, 'settings'],
  ['Backup', 'Backup vaults', { backupVaultName: 'hourly' }, 'hourly'],
  ['Face recognition', 'Person groups', { personGroupId: 'team' }, 'Team'],
  ['Identity Connect', 'Clients', { client_name: 'Shop' }, 'Shop'],
  ['Event detection', 'Inputs', { inputName: 'humidity' }, 'humidity'],
  ['Resource Groups', 'Resource groups', { Name: 'shop' }, 'shop'],
  ['Job Scheduler', 'Job collections', { jobCollectionName: 'weekly' }, 'weekly'],
  ['Voice Messaging', 'Call configurations', { ConfigurationSetName: 'night' }, 'night'],
  ['SQL virtual machines', 'SQL machine groups', { sqlVirtualMachineGroupName: 'cluster' }, 'cluster'],
  ['Diagnostics of API services', 'API diagnostics', { diagnosticId: 'azuremonitor' }, 'azuremonitor'],
]

test.each(simple)('%s: %s: one is created, shown and deleted by clicks', async (service, list, filled, name) => {
  await hands.visit(service, list)
  await hands.create(filled)
  await hands.open(name)
  await hands.inspector.getByRole('tab', { name: 'JSON' }).click()
  await expect.poll(() => hands.inspector.getByLabel('JSON', { exact: true }).last().textContent()).toContain(name)
  await hands.delete(name)
})

test('a store of settings: a key-value is written, changed and read in its history', async () => {
  await hands.visit('Configuration stores', 'Configuration stores')
  await hands.create({ configStoreName: 'colours' })
  await hands.open('colours')
  await hands.enter('Key-values')
  await hands.create({ key: 'background', value: 'red' })
  await hands.open('background')
  await hands.shows('red')
  await hands.visit('Configuration stores', 'Configuration stores')
  await hands.open('colours')
  await hands.inspector.getByRole('tab', { name: 'Timeline' }).click()
  await expect
    .poll(() => hands.inspector.locator('.timeline').textContent(), { timeout: 30_000 })
    .toMatch(/request .* job /)
})

test('a bank: a customer asks for money, gets it and pays', async () => {
  await hands.visit('Banking', 'Customers')
  await hands.create({})
  await hands.create({})
  await hands.open('')
  await hands.inspector.getByRole('tab', { name: 'JSON' }).click()
  await hands.shows(/"[^"]+@[^"]+"/)
  const [, payee = ''] = /"([^"@]+@[^"]+)"/.exec((await hands.inspector.textContent()) ?? '') ?? []
  await console.page.locator('a.row').nth(1).click()
  await hands.enter('Accounts')
  await console.page.locator('a.row').first().click()
  await hands.enter('Requests sent')
  await hands.create({})
  await console.page.locator('a.row').first().waitFor()
  await console.page.goBack()
  await hands.enter('Payments')
  await expect.poll(() => console.page.locator('main').textContent(), { timeout: 30_000 }).toContain('500.00')
  const to = { 'counterparty_alias/type': 'EMAIL', 'counterparty_alias/value': payee }
  await hands.create({ 'amount/value': '12.34', ...to, description: 'Dinner' })
  await hands.open('Dinner')
  await hands.shows('-12.34')
})

test('braille: a text is translated', async () => {
  const summary = /^Translate text into Unicode braille/
  expect(await hands.call('Braille translation', summary, { text: 'hello' })).toMatch(/⠓\W+⠑\W+⠇\W+⠇\W+⠕/)
})

test('podcasts: a feed is submitted, read and listed', async () => {
  const item =
    '<item><title>First</title><guid>1</guid><enclosure url="http://127.0.0.1/1.mp3" type="audio/mpeg" length="1"/></item>'
  const feed = `<rss version="2.0"><channel><title>Clicks and typing</title><link>http://127.0.0.1/</link><description>About hands</description>${item}</channel></rss>`
  await using site = createServer((_, response) => response.setHeader('content-type', 'application/rss+xml').end(feed))
  await new Promise((resolve) => site.listen(0, '127.0.0.1', () => resolve(undefined)))
  const rss = `http://127.0.0.1:${(site.address() as AddressInfo).port}/feed.xml`
  await hands.visit('Podcast Directory', 'Podcasts')
  await hands.create({ rss })
  const summary = /^Search episodes, podcasts/
  await expect
    .poll(() => hands.call('Podcast Directory', summary, { q: 'typing', type: 'podcast' }), { timeout: 60_000 })
    .toContain('Clicks and typing')
})

test('robotics: an imported season is read down to its matches', async () => {
  const season = syntheticSeason({ season: 2024, events: 2, teams: 120, rounds: 3 })
  await importSeason(console.platform.database, 'dev', season, console.platform.clock)
  await hands.visit('Robotics Event Statistics', 'Robotics events')
  await console.page.locator('a.row').first().click()
  await hands.enter('Matches')
  await console.page.locator('a.row').first().waitFor()
})

test('a language app: an intent and utterances are trained, published and predicted', async () => {
  await hands.visit('Language authoring', 'Language apps')
  await hands.create({ name: 'Trips' })
  await hands.open('Trips')
  await hands.shows(/id[0-9a-f]{8}-/)
  const appId = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec((await hands.inspector.textContent()) ?? '')?.[0] ?? ''
  await hands.enter('Versions')
  await hands.open('0.1')
  await hands.enter('Intents')
  await hands.create({ name: 'BookFlight' })
  await console.page.goBack()
  await hands.enter('Utterances')
  for (const text of ['book a flight to Rome', 'fly me to Oslo', 'a ticket to Paris']) await hands.create({ text })
  await console.page.goBack()
  await hands.act('Train version')
  await hands.shows(/×Trained/)
  await hands.visit('Language authoring', 'Language apps')
  await hands.open('Trips')
  await hands.act('Publish', { versionId: '0.1' })
  const filled = { appId, slotName: 'production', query: 'book a flight to Bergen' }
  expect(await hands.call('Language authoring', /^Predict with the version published/, filled)).toContain('BookFlight')
})

test('faces: a person of a group is trained with photos and identified', async () => {
  const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = photosOf(0)
  const photo = (buffer: Buffer) => ({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer })
  await hands.visit('Face recognition', 'Person groups')
  await hands.create({ personGroupId: 'crew', name: 'Crew' })
  await hands.open('Crew')
  await hands.enter('Persons')
  await hands.create({ name: 'Grace' })
  await hands.open('Grace')
  expect(await hands.act('Add face', { Body: photo(first) })).toContain('persistedFaceId')
  await hands.visit('Face recognition', 'Person groups')
  await hands.open('Crew')
  await hands.act('Train')
  const detected = await hands.call('Face recognition', /^Detect the faces in a photo/, {
    Body: photo(second),
    recognitionModel: 'recognition_04',
  })
  const faceId = /"faceId": "([^"]+)"/.exec(detected)?.[1] ?? ''
  const filled = { faceIds: JSON.stringify([faceId]), personGroupId: 'crew' }
  await expect.poll(async () => hands.call('Face recognition', /^Identify faces/, filled)).toContain('confidence')
})

test('a security module: a key is created and signs', async () => {
  await hands.visit('Hardware security modules', 'Security modules')
  await hands.create({ name: 'vault' })
  await hands.open('vault')
  await hands.shows('Succeeded')
  await hands.enter('Keys')
  await hands.create({ keyName: 'signing' })
  await hands.open('signing')
  const value = Buffer.from('hello').toString('base64url')
  expect(await hands.act('Sign', { algorithm: 'ES256', value })).toMatch(/"signature"|"value"/)
})

test('SQL: a server gets a database', async () => {
  await hands.visit('SQL databases', 'SQL servers')
  await hands.create({ serverName: 'shop-server' })
  await hands.open('shop-server')
  await hands.enter('Databases')
  await hands.create({ databaseName: 'orders' })
  await hands.open('orders')
  await hands.shows('Online')
})

test('the scheduler: a job of a collection runs, and its outcome is in its history', async () => {
  await using site = createServer((_, response) => response.end('done'))
  await new Promise((resolve) => site.listen(0, '127.0.0.1', () => resolve(undefined)))
  const uri = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
  await hands.visit('Job Scheduler', 'Job collections')
  await hands.create({ jobCollectionName: 'hooks' })
  await hands.open('hooks')
  await hands.enter('Jobs')
  await hands.create({ jobName: 'call', request: JSON.stringify({ method: 'GET', uri }) })
  await hands.open('call')
  await hands.act('Run')
  await hands.enter('History')
  await hands.open('')
  await hands.shows('Completed')
})

test('a function: it is deployed from the example, and called', async () => {
  await hands.visit('Functions', 'Functions')
  await hands.create({})
  await hands.open('hello')
  await expect.poll(() => hands.inspector.textContent(), { timeout: 150_000 }).toMatch(/ACTIVE/)
  await hands.inspector.getByRole('tab', { name: 'Call' }).click()
  await hands.inspector.getByRole('button', { name: 'Send', exact: true }).click()
  await hands.shows('Hello world')
})

test('contributions: an assignment gets a contribution, which is approved and listed', async () => {
  await hands.visit('Contribution Collection', 'Assignments')
  await hands.create({ name: 'Rain' })
  await hands.open('Rain')
  await hands.shows(/id\d+/)
  const id = /^id(\d+)/.exec(
    (await hands.inspector.locator('dl.fields > div').filter({ hasText: /^id\d/ }).first().textContent()) ?? '',
  )?.[1]
  const sent = { 'assignment/id': id ?? '', headline: 'Rain in Bergen' }
  const summary = /^Submit a contribution/
  const contribution = JSON.parse(await hands.call('Contribution Collection', summary, sent)).id
  const approval = { id: String(contribution), 'action/id': 'approve' }
  await hands.call('Contribution Collection', /^Moderate a contribution/, approval)
  await hands.visit('Contribution Collection', 'Contributions')
  await hands.open('Rain in Bergen')
  await hands.shows('Rain')
})

test('events: a detector follows the messages of an input', async () => {
  await hands.visit('Event detection', 'Inputs')
  await hands.create({})
  await hands.visit('Event detection', 'Detector models')
  const condition = '$input.temperature.celsius > 30'
  const events = [{ eventName: 'rise', condition, nextState: 'hot' }]
  const states = [{ stateName: 'normal', onInput: { transitionEvents: events } }, { stateName: 'hot' }]
  await hands.create({ key: 'sensor', states: JSON.stringify(states) })
  const payload = Buffer.from(JSON.stringify({ sensor: 'cellar', celsius: 35 })).toString('base64')
  const messages = JSON.stringify([{ messageId: '1', inputName: 'temperature', payload }])
  await hands.call('Event detection', /^Send messages/, {
    messages,
  })
  await hands.visit('Event detection', 'Detector models')
  await hands.open('heating')
  await hands.enter('Detectors')
  await hands.open('cellar')
  await hands.shows('hot')
})

test('voice: a call is accepted, for a configuration that was created', async () => {
  await hands.visit('Voice Messaging', 'Call configurations')
  await hands.create({ ConfigurationSetName: 'alerts' })
  const filled = { ConfigurationSetName: 'alerts', DestinationPhoneNumber: '+15550100', Text: 'Hello' }
  const summary = /^Call a phone number/
  expect(await hands.call('Voice Messaging', summary, filled)).toContain('MessageId')
})

test('backup: a plan fills a vault', async () => {
  await hands.visit('Backup', 'Backup vaults')
  await hands.create({ backupVaultName: 'daily' })
  await hands.visit('Backup', 'Backup plans')
  const rules = [{ RuleName: 'nightly', TargetBackupVaultName: 'daily', ScheduleExpression: 'cron(0 3 * * ? *)' }]
  await hands.create({ Rules: JSON.stringify(rules) })
  await hands.open('daily')
})

test('unpacking: a rule is applied to a program that is uploaded', async () => {
  const file = { name: 'program', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ this is a program') }
  const rules = JSON.stringify(['rule program { strings: $a = "this is a program" condition: $a }'])
  const summary = /^Apply up to 10 YARA rules/
  expect(await hands.call('Unpack analysis', summary, { file, rules })).toContain('program')
})

test('the keyboard alone: a vault is found, created and opened', async () => {
  const { keyboard } = console.page
  await hands.visit('Backup')
  await keyboard.press('g')
  await keyboard.press('h')
  await console.page.getByRole('heading', { name: 'Services', exact: true }).waitFor()
  await keyboard.press('/')
  await keyboard.type('Backup vaults')
  await console.page.getByRole('option', { name: /^Backup vaults/ }).waitFor()
  await keyboard.press('Enter')
  await console.page.getByRole('heading', { level: 1, name: 'Backup vaults' }).waitFor()
  await keyboard.press('Tab') // out of the search
  await keyboard.press('n')
  await console.page.getByRole('dialog').locator('input').first().waitFor()
  await keyboard.type('a-typed')
  await keyboard.press('Enter')
  await console.page.getByRole('dialog').waitFor({ state: 'detached' })
  await console.page.getByRole('link', { name: 'a-typed', exact: true }).waitFor()
  for (const key of ['j', 'j', 'k', 'k', 'k']) await keyboard.press(key)
  await keyboard.press('Enter')
  await console.page.getByRole('complementary', { name: 'a-typed' }).waitFor()
  await keyboard.press('?')
  await console.page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
  await keyboard.press('Escape')
  await console.page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('every list, form, resource and action is accessible, narrow and wide, light and dark', async () => {
  const { flaws, opened } = await crawl(console, 'icosa-dev-key', { isThorough: process.env.NIGHTLY !== undefined })
  expect(flaws).toEqual([])
  expect(opened.list.length).toBeGreaterThan(100)
  expect(opened.item.length).toBeGreaterThan(50)
}, 1_800_000)
