import type { NodeOptions, Service } from '@icosa/kernel'
import { startTestApp, type TestApp } from '@icosa/testing'
import { episodes } from '../episodes/contract.ts'
import { feeds } from '../feeds/contract.ts'
import { type DirectorySettings, defaultSettings, podcastDirectory } from '../index.ts'
import { keyHeaders } from '../names.ts'
import { podcasts } from '../podcasts/contract.ts'

/** Defaults without pauses between requests. */
export const testSettings: DirectorySettings = { ...defaultSettings, hostPauseMs: 0 }

const crawlJobNames: ReadonlySet<string> = new Set(['crawlHost', 'crawlDue', 'clearAway'])

/** The directory with crawling jobs only, so that tests need not wait for indexing. */
export function crawlingService(settings: Partial<DirectorySettings> = {}): Service {
  const service = podcastDirectory({ ...testSettings, ...settings })
  const { jobs = [], schedules = [] } = service
  return {
    ...service,
    jobs: jobs.filter(({ name }) => crawlJobNames.has(name)),
    schedules: schedules.filter(({ job }) => crawlJobNames.has(job.name)),
  }
}

export const start = (
  settings: Partial<DirectorySettings> = {},
  options: Partial<Omit<NodeOptions, 'services'>> = {},
) => startTestApp({ services: [crawlingService(settings)], ...options })

/** Clients of a tenant, in the neutral spelling. */
export async function callersOf(app: TestApp, tenant = 'acme') {
  const key = await app.key(tenant)
  const target = { headers: { [keyHeaders[0]]: key } }
  return {
    key,
    podcasts: app.client(podcasts, target),
    episodes: app.client(episodes, target),
    feeds: app.client(feeds, target),
  }
}
