import type { ServiceModule } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { settings } from './settings.ts'

export const module: ServiceModule<ValuesOf<typeof settings>> = {
  settings,
  async create(values, { baseUrl }) {
    const { banking } = await import('./index.ts')
    return banking({ ...values, publicUrl: `${baseUrl}/banking` })
  },
  gaps: () => import('./unsupported.ts'),
  commands: { bank: async () => (await import('./commands/bank.ts')).bank },
}
