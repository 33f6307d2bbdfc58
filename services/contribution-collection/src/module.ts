import { mailServer } from '@icosa/delivery/mail-settings'
import type { ServiceModule } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { needs } from './media/needs.ts'
import { contributionSettings, settings } from './settings.ts'

export const module: ServiceModule<ValuesOf<typeof settings>> = {
  settings,
  async create(values, facts) {
    const { contributionCollection } = await import('./index.ts')
    return contributionCollection(contributionSettings(values, facts))
  },
  gaps: () => import('./unsupported.ts'),
  tenancy: () => import('./tenancy.ts'),
  commands: { contributions: async () => (await import('./commands/contributions.ts')).contributions },
  needs: [mailServer('notifies subscribers; in development mode mails are files in the data folder'), ...needs],
}
