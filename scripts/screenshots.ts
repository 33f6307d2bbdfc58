/** Takes the screenshots of the README and docs/start/console.md, from a node with all services and a few requests. */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { testServerUrl } from '@icosa/testing'
import { openChromium } from '@icosa/testing/browser'
import { start } from '../apps/server/src/testkit/index.ts'
import { writeConsole } from './console.ts'

const folder = fileURLToPath(new URL('../docs/start/', import.meta.url))

await writeConsole()
await using opened = new AsyncDisposableStack()
const app = await start({ databaseUrl: testServerUrl })
opened.defer(() => app.close())
const browser = await openChromium()
opened.defer(() => browser.close())

const store =
  '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/shop/providers/Vendor.AppConfiguration/configurationStores/settings?api-version=2023-03-01'
const put = (body: unknown) => ({
  method: 'PUT',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

for (const text of ['Hello', 'world']) await app.fetch('braille-translation', `/translate/braille?text=${text}`)
await app.fetch('backup', '/backup-vaults/daily', put({}))
await app.fetch('backup', '/backup-vaults/nightly')
await app.fetch('face-recognition', '/persongroups/team', put({ name: 'Team' }))
await app.fetch('configuration-stores', store, put({ location: 'westus', sku: { name: 'Standard' } }))

const to = (nextState: string, condition: string) => ({ eventName: nextState, condition, nextState })
const celsius = '$input.reading.celsius'
const post = (body: unknown) => ({ ...put(body), method: 'POST' })
await app.fetch(
  'event-detection',
  '/inputs',
  post({ inputName: 'reading', inputDefinition: { attributes: [{ jsonPath: 'room' }, { jsonPath: 'celsius' }] } }),
)
await app.fetch(
  'event-detection',
  '/detector-models',
  post({
    detectorModelName: 'heating',
    key: 'room',
    roleArn: 'arn:aws:iam::123456789012:role/any',
    detectorModelDefinition: {
      initialStateName: 'normal',
      states: [
        { stateName: 'normal', onInput: { transitionEvents: [to('warm', `${celsius} > 25`)] } },
        {
          stateName: 'warm',
          onInput: { transitionEvents: [to('alarm', `${celsius} > 30`), to('normal', `${celsius} < 24`)] },
        },
        { stateName: 'alarm', onInput: { transitionEvents: [to('normal', `${celsius} < 20`)] } },
      ],
    },
  }),
)

const database =
  '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/shop/providers/Vendor.Sql/servers/main/databases/orders?api-version=2017-10-01-preview'
await app.fetch('sql-databases', database, put({ location: 'westeurope' }))

async function bank(path: string, body?: unknown) {
  const response = await app.fetch('banking', path, body === undefined ? {} : post(body))
  return ((await response.json()) as { Response: Record<string, Account & { id: number }>[] }).Response
}
interface Account {
  readonly balance: { readonly value: string }
  readonly alias: readonly { readonly type: string; readonly value: string }[]
}
await bank('/v1/sandbox-user-person', {})
const user = (await bank('/user'))[0]?.UserPerson?.id
const accounts = `/user/${user}/monetary-account`
await bank(`${accounts}-bank`, { currency: 'EUR', description: 'savings' })
const [account, savings] = (await bank(`${accounts}-bank`)).flatMap((one) => Object.values(one))
const euros = (value: string) => ({ value, currency: 'EUR' })
await bank(`${accounts}/${account?.id}/request-inquiry`, {
  ...{ amount_inquired: euros('500.00'), description: 'Please', allow_vendorme: false },
  counterparty_alias: { type: 'EMAIL', value: 'sugardaddy@vendor.example' },
})
const isPaid = async () =>
  (await bank(`${accounts}-bank/${account?.id}`))[0]?.MonetaryAccountBank?.balance.value === '500.00'
while (!(await isPaid())) await sleep(100)
const iban = savings?.alias.find(({ type }) => type === 'IBAN')?.value
for (const [value, description] of Object.entries({ '120.00': 'Rent', '30.50': 'Food', '12.00': 'Books' }))
  await bank(`${accounts}/${account?.id}/payment`, {
    ...{ amount: euros(value), description },
    counterparty_alias: { type: 'IBAN', value: iban, name: 'savings' },
  })

const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
page.setDefaultTimeout(30_000)

async function shoot(name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.screenshot({ path: `${folder}console-${name}-${colorScheme}.png` })
  }
}

await page.goto(app.url)
await page.getByRole('heading', { name: 'Recent errors' }).waitFor()
await page.getByRole('heading', { name: 'Services', exact: true }).waitFor()
await shoot('home')
await page.goto(`${app.url}/console/-/requests`)
await page.getByRole('link', { name: /^PUT .*\/settings$/ }).click()
await page.locator('.timeline', { hasText: 'completed job' }).waitFor()
await shoot('requests')
const model = new URLSearchParams({ item: JSON.stringify({ detectorModelName: 'heating' }), tab: 'Diagram' })
await page.goto(`${app.url}/console/event-detection/ListDetectorModels?${model}`)
await page.locator('.node').first().waitFor()
await shoot('panel')

/** Opens a tab of a resource. */
async function open(path: string, tab: string, item: object, scope = {}): Promise<void> {
  const search = new URLSearchParams({ scope: JSON.stringify(scope), item: JSON.stringify(item), tab })
  await page.goto(`${app.url}/console${path}?${search}`)
}

const subscriptionId = '00000000-0000-0000-0000-000000000001'
await open(
  '/configuration-stores/ConfigurationStores_List',
  'Timeline',
  { subscriptionId, resourceGroupName: 'shop', configStoreName: 'settings' },
  { subscriptionId },
)
await page.getByRole('tab', { name: 'Timeline' }).click()
await page.locator('.timeline', { hasText: 'job' }).waitFor()
await shoot('timeline')
await open('/banking/listBankAccounts', 'Ledger', { itemId: String(account?.id) }, { userID: String(user) })
await page.locator('.balance').waitFor()
await shoot('ledger')
const scope = { subscriptionId, resourceGroupName: 'shop', serverName: 'main' }
await open('/sql-databases/Databases_ListByServer', 'Query', { databaseName: 'orders' }, scope)
const query = page.getByRole('region', { name: 'Query', exact: true })
await query
  .getByLabel('statement')
  .fill('select n as day, round(20 + 5 * sin(n))::int as orders from generate_series(1, 4) n')
await query.getByRole('button', { name: 'Send', exact: true }).click()
await query.locator('tbody tr').last().scrollIntoViewIfNeeded()
await shoot('query')
