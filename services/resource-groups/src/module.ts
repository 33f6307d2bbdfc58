import type { ServiceModule } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { settings } from './settings.ts'

export const module: ServiceModule<ValuesOf<typeof settings>> = {
  settings,
  async create(values, { region, resourceTypes = [] }) {
    const { resourceGroups } = await import('./index.ts')
    return resourceGroups({ ...values, region, resourceTypes })
  },
  gaps: () => import('./unsupported.ts'),
}
