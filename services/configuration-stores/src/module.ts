import type { ServiceModule } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { ownEndpoint, settings } from './settings.ts'

export const module: ServiceModule<ValuesOf<typeof settings>> = {
  settings,
  async create({ endpoint, ...values }, { baseUrl }) {
    const { configurationStores } = await import('./index.ts')
    return configurationStores({ ...values, endpoint: endpoint ?? ownEndpoint(baseUrl) })
  },
  gaps: () => import('./unsupported.ts'),
}
