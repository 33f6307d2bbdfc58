import { cognitiveServer } from '@icosa/dialects/keyed/cognitive'
import { type Service, serviceHolding } from '@icosa/kernel'
import { comparison } from './comparison/handlers.ts'
import { detectedDescriptors, persistedDescriptors } from './descriptors/sealing.ts'
import { detection } from './detection/handlers.ts'
import { forgetEveryMs, forgetExpired } from './detection/jobs.ts'
import { type Held, startWith } from './held.ts'
import { keyHeaders, originalRoot, serviceName } from './names.ts'
import { retention } from './retention.ts'
import { defaultSettings, type FaceSettings } from './settings.ts'
import { dialect } from './shapes/contract.ts'

export { defaultSettings, type FaceSettings } from './settings.ts'

/** Faces in photos: found, compared, and recognized among persons and faces that a tenant keeps. */
export function faceRecognition(settings: FaceSettings = defaultSettings): Service {
  return serviceHolding<Held>({
    letter: 'F',
    name: serviceName,
    title: 'Face recognition',
    apis: [
      {
        dialect: cognitiveServer({ name: serviceName, headers: keyHeaders, operations: dialect, root: originalRoot }),
        resources: { Face: detection, Comparison: comparison },
      },
    ],
    start: startWith(settings),
    migrations: new URL('../migrations/', import.meta.url),
    retention,
    sealed: [detectedDescriptors, persistedDescriptors],
    jobs: [forgetExpired],
    schedules: [{ job: forgetExpired, everyMs: forgetEveryMs }],
  })
}
