import type { ServiceModule } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { mailServer } from './needs.ts'
import { identitySettings, settings } from './settings.ts'

export const module: ServiceModule<ValuesOf<typeof settings>> = {
  settings,
  async create(values, { dataDirectory }) {
    const { identityConnect } = await import('./index.ts')
    return identityConnect(identitySettings(values, dataDirectory))
  },
  absent: () => import('./absent.ts'),
  commands: {
    people: async () => (await import('./commands/people.ts')).people,
    clients: async () => (await import('./commands/clients.ts')).clients,
  },
  needs: [mailServer],
}
