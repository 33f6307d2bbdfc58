import type { ServiceModule } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { engine } from './needs.ts'
import { settings } from './settings.ts'

export const module: ServiceModule<ValuesOf<typeof settings>> = {
  settings,
  async create(values, { baseUrl, hasDevelopmentDatabase }) {
    const { languageAuthoring } = await import('./index.ts')
    return languageAuthoring({ ...values, baseUrl, hasPage: hasDevelopmentDatabase })
  },
  commands: { language: async () => (await import('./commands/language.ts')).language },
  needs: [engine],
  gaps: () => import('./unsupported.ts'),
}
