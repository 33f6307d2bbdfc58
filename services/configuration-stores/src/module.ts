import type { ServiceModule } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { settings } from './settings.ts'

export const module: ServiceModule<ValuesOf<typeof settings>> = {
  settings,
  async create(values, { baseUrl }) {
    const { configurationStores } = await import('./index.ts')
    return configurationStores({ ...values, endpoint: `${baseUrl}/configuration-stores/stores/{name}` })
  },
  gaps: () => import('./unsupported.ts'),
}
