import type { NodeOptions, Service } from '@icosa/kernel'
import { startTestApp, type TestApp } from '@icosa/testing'
import { episodes } from '../episodes/contract.ts'
import { feeds } from '../feeds/contract.ts'
import { type DirectorySettings, defaultSettings, podcastDirectory } from '../index.ts'
import { keyHeaders } from '../names.ts'
import { podcasts } from '../podcasts/contract.ts'

/** As it comes, but without the pauses that hosts out there are owed. */
export const testSettings: DirectorySettings = { ...defaultSettings, hostPauseMs: 0 }

const crawling: ReadonlySet<string> = new Set(['crawlHost', 'crawlDue', 'clearAway'])

/** The directory without the jobs that follow a crawl, such as indexing: tests of the crawl need not wait for them. */
export function crawlingService(settings: Partial<DirectorySettings> = {}): Service {
  const service = podcastDirectory({ ...testSettings, ...settings })
  const { jobs = [], schedules = [] } = service
  return {
    ...service,
    jobs: jobs.filter(({ name }) => crawling.has(name)),
    schedules: schedules.filter(({ job }) => crawling.has(job.name)),
  }
}

export const start = (
  settings: Partial<DirectorySettings> = {},
  options: Partial<Omit<NodeOptions, 'services'>> = {},
) => startTestApp({ services: [crawlingService(settings)], ...options })

/** A tenant's calls, in the neutral spelling. */
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
