import { join } from 'node:path'
import type { ServiceModule } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { onnxruntime } from './needs.ts'
import { minFacesForLsh, settings } from './settings.ts'

export const module: ServiceModule<ValuesOf<typeof settings>> = {
  settings,
  async create(values, { scratchDirectory, hasDevelopmentDatabase }) {
    const { faceRecognition } = await import('./index.ts')
    const models = join(scratchDirectory, 'face-models')
    return faceRecognition({ ...values, models, minFacesForLsh, hasPage: hasDevelopmentDatabase })
  },
  gaps: () => import('./unsupported.ts'),
  commands: { faces: async () => (await import('./commands/faces.ts')).faces },
  needs: [onnxruntime],
}
