import type { NodeOptions } from '@icosa/kernel'
import { startTestApp, type TestApp } from '@icosa/testing'
import type { SyntheticOptions } from '../catalog/synthetic.ts'
import { podcastDirectory } from '../index.ts'
import { best } from '../lists/best/contract.ts'
import { chance } from '../lists/chance/contract.ts'
import { curated } from '../lists/curated/contract.ts'
import { playlists } from '../lists/playlists/contract.ts'
import { reference } from '../lists/reference/contract.ts'
import { keyHeaders } from '../names.ts'
import { popularity } from '../popularity/contract.ts'
import { recommendations } from '../recommendations/contract.ts'
import { search } from '../search/contract.ts'
import { followEveryMs } from '../search/index/jobs.ts'
import { spelling } from '../spelling/contract.ts'
import { typeahead } from '../typeahead/contract.ts'
import { callersOf, testSettings } from './app.ts'
import { insertSynthetic } from './synthetic-store.ts'

export const startDiscovery = (options: Partial<Omit<NodeOptions, 'services'>> = {}): Promise<TestApp> =>
  startTestApp({ services: [podcastDirectory(testSettings)], ...options })

/** Clients of a tenant, in the neutral spelling. */
export async function seekerOf(app: TestApp, tenant = 'acme') {
  const { key, ...callers } = await callersOf(app, tenant)
  const target = { headers: { [keyHeaders[0]]: key } }
  return {
    ...callers,
    key,
    ...app.client({ ...search, ...typeahead, ...spelling, ...popularity }, target),
    ...app.client({ ...best, ...reference, ...curated, ...playlists, ...chance, ...recommendations }, target),
    /** The raw response to a path. */
    get: (path: string, headers: Record<string, string> = {}) =>
      fetch(`${app.url}/podcast-directory${path}`, { headers: { ...target.headers, ...headers } }),
  }
}

/** Fills a tenant's directory with a synthetic catalog, and indexes it. */
export async function fill(app: TestApp, options: SyntheticOptions, tenant = 'acme'): Promise<void> {
  const { database, clock } = app.platform
  await insertSynthetic(database, tenant, options, clock.now())
  await indexed(app)
}

/** Updates the index. */
export async function indexed(app: TestApp): Promise<void> {
  await app.clock.advance(followEveryMs)
  await app.jobs.drain()
}

/** Advances half a day, running all scheduled jobs. */
export async function halfADay(app: TestApp): Promise<void> {
  await app.clock.advance(12 * 3_600_000)
  await app.jobs.drain()
}
