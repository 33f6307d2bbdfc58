import { mailServer } from '@icosa/delivery/mail-settings'
import type { ServiceModule } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { identitySettings, settings } from './settings.ts'

export const module: ServiceModule<ValuesOf<typeof settings>> = {
  settings,
  async create(values, { developmentDirectory }) {
    const { identityConnect } = await import('./index.ts')
    return identityConnect(identitySettings(values, developmentDirectory))
  },
  gaps: () => import('./unsupported.ts'),
  tenancy: () => import('./tenancy.ts'),
  commands: {
    people: async () => (await import('./commands/people.ts')).people,
    clients: async () => (await import('./commands/clients.ts')).clients,
  },
  needs: [mailServer('sends invitations and links; in development mode they are files in the data folder')],
}
