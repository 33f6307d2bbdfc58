import { cognitiveServer } from '@icosa/dialects/keyed/cognitive'
import { type Service, serviceWithRuntime } from '@icosa/kernel'
import { collectionBackup } from './backups/backup.ts'
import { trained, untrained } from './collections/handlers.ts'
import { clearAway } from './collections/jobs.ts'
import { faceList, kinds, largeFaceList, largePersonGroup, personGroup } from './collections/names.ts'
import { comparison } from './comparison/handlers.ts'
import { detectedDescriptors, persistedDescriptors } from './descriptors/sealing.ts'
import { detection } from './detection/handlers.ts'
import { forgetEveryMs, forgetExpired } from './detection/jobs.ts'
import { keyHeaders, originalRoot, serviceName } from './names.ts'
import { pageRoutes } from './page/routes.ts'
import { faces, largeFaces } from './persisted-faces/handlers.ts'
import { persons } from './persons/handlers.ts'
import { blobs, retention } from './retention.ts'
import { type ServiceRuntime, startWith } from './runtime.ts'
import { defaultSettings, type FaceSettings } from './settings.ts'
import { dialect } from './shapes/contract.ts'
import { snapshots } from './snapshots/handlers.ts'
import { apply, expireSnapshots, removeContent, take } from './snapshots/jobs.ts'
import { forgetOld, train, unlearn } from './training/jobs.ts'
import { views } from './views.ts'

export { defaultSettings, type FaceSettings } from './settings.ts'

/** Detects and compares faces in photos, and recognizes a tenant's persons. */
export function faceRecognition(settings: FaceSettings = defaultSettings): Service {
  return serviceWithRuntime<ServiceRuntime>({
    letter: 'F',
    name: serviceName,
    title: 'Face recognition',
    moves: 'withRows',
    views,
    apis: [
      {
        dialect: cognitiveServer({ name: serviceName, headers: keyHeaders, operations: dialect, root: originalRoot }),
        resources: {
          Face: detection(settings),
          Comparison: comparison(settings),
          PersonGroup: trained(personGroup),
          PersonGroupPerson: persons(personGroup),
          LargePersonGroup: trained(largePersonGroup),
          LargePersonGroupPerson: persons(largePersonGroup),
          FaceList: untrained(faceList),
          FaceListFace: faces(faceList),
          LargeFaceList: trained(largeFaceList),
          LargeFaceListFace: largeFaces(largeFaceList),
          Snapshot: snapshots,
        },
      },
    ],
    start: startWith(settings),
    ...(settings.hasPage && {
      routes: pageRoutes,
      tenantRules: { [`/${serviceName}/try`]: { otherwise: 'any' } },
    }),
    migrations: new URL('../migrations/', import.meta.url),
    retention,
    blobs,
    backups: kinds.map(collectionBackup),
    sealed: [detectedDescriptors, persistedDescriptors],
    derives: [`${serviceName} galleries`],
    jobs: [forgetExpired, train, unlearn, forgetOld, clearAway, take, apply, removeContent, expireSnapshots],
    schedules: [
      { job: forgetExpired, everyMs: forgetEveryMs },
      { job: expireSnapshots, everyMs: forgetEveryMs },
    ],
  })
}
