import { type Service, serviceWithRuntime } from '@icosa/kernel'
import { artwork } from './artwork/handlers.ts'
import { anyDue } from './crawl/hosts/turn-store.ts'
import { crawlEveryMs, crawlJobs } from './crawl/jobs.ts'
import { directoryDialect } from './dialect.ts'
import { discovery } from './discovery.ts'
import { episodes } from './episodes/handlers.ts'
import { feeds } from './feeds/handlers.ts'
import { cleanUp } from './feeds/remove.ts'
import { linksAt } from './links.ts'
import { playlistBackup } from './lists/playlists/backup.ts'
import { serviceName } from './names.ts'
import { podcasts } from './podcasts/handlers.ts'
import { retention } from './retention.ts'
import { type ServiceRuntime, startWith } from './runtime.ts'
import { type DirectorySettings, defaultSettings } from './settings.ts'
import { metered } from './usage/metered.ts'
import { views } from './views.ts'

export { type DirectorySettings, defaultSettings } from './settings.ts'

/** Podcasts and episodes, crawled from feeds, with search and lists. */
export function podcastDirectory(settings: DirectorySettings = defaultSettings): Service {
  const { publicUrl } = settings
  const links = linksAt(publicUrl)
  const { crawlHost, crawlDue, sendTo } = crawlJobs(settings)
  const discoveryParts = discovery({ publicUrl, links })
  const resources = {
    podcasts: podcasts({ links }),
    episodes: episodes({ links }),
    feeds: feeds({ links, sendTo }),
    artwork,
    ...discoveryParts.resources,
  }
  return serviceWithRuntime<ServiceRuntime>({
    letter: 'S5',
    name: serviceName,
    title: 'Podcast Directory',
    moves: 'withRows',
    views,
    apis: [{ dialect: directoryDialect(), resources: metered(resources) }],
    observe: discoveryParts.observe,
    start: startWith(settings),
    migrations: new URL('../migrations/', import.meta.url),
    retention,
    tenantRules: { [`/${serviceName}/artwork`]: { otherwise: 'home' } }, // thumbnails are shared by tenants
    blobs: { 'artwork/': 'named by their content: a repeated visit writes the same blob, and then its row' },
    backups: [playlistBackup],
    jobs: [crawlHost, crawlDue, cleanUp, ...discoveryParts.jobs],
    schedules: [{ job: crawlDue, everyMs: crawlEveryMs, hasWork: anyDue }, ...discoveryParts.schedules],
  })
}
