import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '@icosa/kernel'
import type { CDPSession } from 'playwright-core'
import { expect, test } from 'vitest'
import { openConsole } from './node.ts'

const isNightly = process.env.NIGHTLY !== undefined
const console = openConsole()

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Figures go to the log at night, when nothing else runs. */
const report = (text: string) => isNightly && process.stdout.write(`${text}\n`)

test('the first view appears after one reading of the catalogue', async () => {
  const { app, page, requests } = console
  const times: number[] = []
  for (let run = 0; run < 5; run++) {
    requests.length = 0
    await page.goto(`${app.url}/console`)
    await page.getByRole('heading', { name: 'Services', exact: true }).waitFor()
    times.push(await page.evaluate<number>('performance.now()'))
    expect(requests.filter(({ url }) => url.endsWith('/platform/catalogue')).length).toBe(1)
  }
  report(`first view: ${median(times).toFixed(0)} ms`)
  if (isNightly) expect(median(times)).toBeLessThanOrEqual(1_000)
})

/** Inserts resources of the tenant of development mode, in order of their keys. */
const insertResources = (prefix: string, count: number) =>
  console.platform.database.transaction((db) =>
    db.run(sql`
      insert into icosa.resources (tenant, key, id, service, type, name, tags, created_at, updated_at)
      select 'dev', ${prefix} || lpad(n::text, 7, '0'), ${prefix} || n, 'backup', 'AWS::Backup::BackupVault', ${prefix} || n,
        jsonb_build_object('n', n::text), now(), now()
      from generate_series(1, ${count}) as n`),
  )

interface Page {
  readonly resources: readonly unknown[]
  readonly nextPageToken?: string
}

const rows = isNightly ? 1_000_000 : 20_000

test(`a table over ${rows} rows: the first page is as fast as its request, the last as the first`, async () => {
  const { app, page } = console
  const read = async (token?: string): Promise<Page> => {
    const response = await app.fetch('platform', `/resources${token ? `?pageToken=${encodeURIComponent(token)}` : ''}`)
    return response.json() as Promise<Page>
  }
  await insertResources('z-end-', 150)
  const { nextPageToken: end } = await read() // stays valid: keys before it are inserted below
  await insertResources('a-row-', rows)
  const { nextPageToken: second } = await read()
  const durations = async (token: string | undefined) => {
    const all: number[] = []
    for (let run = 0; run < 15; run++) {
      const start = performance.now()
      expect((await read(token)).resources.length).toBe(50)
      all.push(performance.now() - start)
    }
    return median(all)
  }
  const [early, late] = [await durations(second), await durations(end)]
  report(`page 2: ${early.toFixed(1)} ms, page ${rows / 50}: ${late.toFixed(1)} ms`)
  expect(late).toBeLessThanOrEqual(3 * early + 5)

  await console.go('/')
  await page.getByRole('heading', { name: 'Services', exact: true }).waitFor()
  await page.evaluate('performance.clearResourceTimings()')
  await console.go('/platform/searchResources')
  await page.locator('a.row').first().waitFor()
  const shown = await page.evaluate<number>('performance.now()')
  const answered = await page.evaluate<number>(
    `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/platform/resources')).at(-1).responseEnd`,
  )
  report(`first page: ${(shown - answered).toFixed(0)} ms after its reply`)
  if (isNightly) expect(shown - answered).toBeLessThanOrEqual(100)
  expect(await page.locator('a.row').count()).toBe(50)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect.poll(() => page.locator('a.row').count()).toBe(100)
})

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0
}

/** Sends requests at a rate. Returns their durations. */
async function load(seconds: number, perSecond: number): Promise<number[]> {
  const durations: number[] = []
  const pending = new Set<Promise<void>>()
  const start = performance.now()
  for (let sent = 0; sent < seconds * perSecond; sent++) {
    const wait = start + (sent * 1_000) / perSecond - performance.now()
    if (wait > 0) await sleep(wait)
    if (pending.size >= perSecond) await Promise.race(pending) // the machine is too busy: bounded
    const before = performance.now()
    const sending: Promise<void> = console.app
      .fetch('backup', `/backup-vaults/number-${sent}`)
      .then((response) => response.text())
      .then(() => {
        durations.push(performance.now() - before)
        pending.delete(sending)
      })
    pending.add(sending)
  }
  await Promise.all(pending)
  return durations
}

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0

/** Opens the view of live requests, and returns once it shows them. */
async function watch(): Promise<void> {
  await console.go('/-/requests')
  await console.page.getByText('live', { exact: true }).waitFor()
}

test('requests that are watched live take bounded memory', async () => {
  const { page } = console
  const [seconds, perSecond] = isNightly ? [60 * Number(process.env.LIVE_MINUTES ?? 10), 500] : [6, 100]
  await watch()
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await load(seconds / 2, perSecond)
  const half = await heapOf(session)
  await load(seconds / 2, perSecond)
  const whole = await heapOf(session)
  const sent = seconds * perSecond
  report(`heap: ${(half / 1e6).toFixed(1)} MB after half, ${(whole / 1e6).toFixed(1)} MB after ${sent} requests`)
  expect(whole).toBeLessThan(1.5 * half)
  const shown = await page.locator('a.row').count()
  expect(shown).toBeGreaterThan(0)
  expect(shown).toBeLessThanOrEqual(500)
})

// Watched and unwatched seconds take turns, so that other work on the machine slows both.
test.runIf(isNightly)('requests are as fast while they are watched', async () => {
  const unwatched: number[] = []
  const watched: number[] = []
  for (let round = 0; round < 10; round++) {
    await console.go('/')
    await load(2, 500)
    unwatched.push(percentile(await load(13, 500), 0.99))
    await watch()
    await load(2, 500)
    watched.push(percentile(await load(13, 500), 0.99))
  }
  report(`p99: ${median(unwatched).toFixed(1)} ms unwatched, ${median(watched).toFixed(1)} ms watched`)
  expect(median(watched)).toBeLessThanOrEqual(1.2 * median(unwatched))
})
