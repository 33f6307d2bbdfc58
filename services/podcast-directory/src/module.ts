import type { ServiceModule } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { defaultSettings, settings } from './settings.ts'

export const module: ServiceModule<ValuesOf<typeof settings>> = {
  settings,
  async create(values, { baseUrl }) {
    const { podcastDirectory } = await import('./index.ts')
    return podcastDirectory({ ...defaultSettings, ...values, publicUrl: `${baseUrl}/podcast-directory` })
  },
  gaps: () => import('./unsupported.ts'),
  tenancy: () => import('./tenancy.ts'),
  commands: { podcasts: async () => (await import('./commands/podcasts.ts')).podcasts },
}
