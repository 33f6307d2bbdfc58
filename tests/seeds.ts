import { seed as seedDiagnostics } from '@icosa/api-diagnostics/testing/seed'
import { seed as seedBackup } from '@icosa/backup/testing/seed'
import { seed as seedBank } from '@icosa/banking/testing/seed'
import { seed as seedStores } from '@icosa/configuration-stores/testing/seed'
import { seed as seedContributions } from '@icosa/contribution-collection/testing/seed'
import { seed as seedEvents } from '@icosa/event-detection/testing/seed'
import { seed as seedFaces } from '@icosa/face-recognition/testing/seed'
import { seed as seedFunctions } from '@icosa/functions/testing/seed'
import { seed as seedModules } from '@icosa/hardware-security-modules/testing/seed'
import { seed as seedClients } from '@icosa/identity-connect/testing/seed'
import { seed as seedJobs } from '@icosa/job-scheduler/testing/seed'
import { seed as seedLanguage } from '@icosa/language-authoring/testing/seed'
import { seed as seedPodcasts } from '@icosa/podcast-directory/testing/seed'
import { seed as seedGroups } from '@icosa/resource-groups/testing/seed'
import { seed as seedSeasons } from '@icosa/robotics-statistics/testing/seed'
import { seed as seedDatabases } from '@icosa/sql-databases/testing/seed'
import { seed as seedMachines } from '@icosa/sql-virtual-machines/testing/seed'
import { type Seed, seedNotes } from '@icosa/testing'
import { seed as seedVoice } from '@icosa/voice-messaging/testing/seed'

/** Seeds with rows of one tenant, which other callers must not reach. */
export const seeds: Readonly<Record<string, Seed>> = {
  'api-diagnostics': seedDiagnostics,
  banking: seedBank,
  'configuration-stores': seedStores,
  'sql-virtual-machines': seedMachines,
  'contribution-collection': seedContributions,
  'hardware-security-modules': seedModules,
  'sql-databases': seedDatabases,
  'job-scheduler': seedJobs,
  functions: seedFunctions,
  'resource-groups': seedGroups,
  'podcast-directory': seedPodcasts,
  'voice-messaging': seedVoice,
  'event-detection': seedEvents,
  'face-recognition': seedFaces,
  'language-authoring': seedLanguage,
  'robotics-statistics': seedSeasons,
  backup: seedBackup,
  example: seedNotes,
  'identity-connect': seedClients,
}
