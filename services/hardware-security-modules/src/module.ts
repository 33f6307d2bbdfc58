import type { ServiceModule } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { library } from './needs.ts'
import { settings } from './settings.ts'

export const module: ServiceModule<ValuesOf<typeof settings>> = {
  settings,
  async create(values, { baseUrl }) {
    const { hardwareSecurityModules } = await import('./index.ts')
    return hardwareSecurityModules({ ...values, endpoint: `${baseUrl}/hardware-security-modules/modules/{id}` })
  },
  gaps: () => import('./unsupported.ts'),
  needs: [library],
}
