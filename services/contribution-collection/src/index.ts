import { type Service, serviceWithRuntime } from '@icosa/kernel'
import { assignmentBackup } from './backups/backup.ts'
import { emptyAssignment, removeDeleted } from './deletion/jobs.ts'
import { contributionsDialect } from './dialect/server.ts'
import { deliver, fanOut, notifyAuthor } from './events/jobs.ts'
import { expireExports, removeExportBlobs, writeExport } from './exports/jobs.ts'
import { deleteUnused, makeCopies, removeBlobs } from './media/jobs.ts'
import { blobsInUse as mediaInUse } from './media/store.ts'
import { serviceName } from './names.ts'
import { routes } from './pages/routes.ts'
import { resources } from './resources.ts'
import { retention } from './retention.ts'
import { type ServiceRuntime, startWith } from './runtime.ts'
import { type ContributionSettings, defaultSettings } from './settings.ts'
import { sealedToken } from './subscriptions/token.ts'
import { tally, tallyAll } from './tallies/jobs.ts'
import { tenantRules } from './tenant-rules.ts'
import { views } from './views.ts'

export { type ContributionSettings, defaultSettings } from './settings.ts'

/** User-generated content for newsrooms: assignments, contributions with files and places, moderation. */
export function contributionCollection(overrides: Partial<ContributionSettings> = {}): Service {
  const settings = { ...defaultSettings, ...overrides }
  return serviceWithRuntime<ServiceRuntime>({
    letter: 'S2',
    name: serviceName,
    title: 'Contribution Collection',
    moves: 'withRows',
    views,
    apis: [{ dialect: contributionsDialect, resources }],
    start: startWith(settings),
    migrations: new URL('../migrations/', import.meta.url),
    retention,
    blobs: { 'media/': mediaInUse, 'exports/': 'their row is written first; removeExportBlobs deletes them with it' },
    sealed: [sealedToken],
    derives: ['feeds', 'links', 'forms'].map((purpose) => `${serviceName} ${purpose}`),
    backups: [assignmentBackup],
    tenantRules,
    routes,
    jobs: [
      ...[removeDeleted, emptyAssignment, fanOut, deliver, notifyAuthor],
      ...[makeCopies, removeBlobs, deleteUnused, writeExport, removeExportBlobs, expireExports],
      ...[tallyAll, tally],
    ],
    schedules: [
      { job: deleteUnused, everyMs: 3_600_000 },
      { job: expireExports, everyMs: 3_600_000 },
      { job: tallyAll, everyMs: 60_000 },
    ],
  })
}
