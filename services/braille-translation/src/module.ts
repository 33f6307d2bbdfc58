import type { ServiceModule } from '@icosa/module'
import { liblouis } from './needs.ts'

export const module: ServiceModule = {
  create: async () => (await import('./index.ts')).brailleTranslation,
  gaps: () => import('./unsupported.ts'),
  needs: [liblouis],
}
