/** Takes the screenshots of docs/start/console.md, from a node with all services and a few requests. */
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
