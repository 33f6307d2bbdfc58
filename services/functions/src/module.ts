import { join } from 'node:path'
import type { ServiceModule } from '@icosa/module'
import { domainOf } from './domain.ts'
import { needs } from './needs.ts'
import { settings, type Values } from './settings.ts'

export const module: ServiceModule<Values> = {
  settings,
  async create(values, { baseUrl, region, scratchDirectory }) {
    const { functionsService } = await import('./index.ts')
    const domain = await domainOf(values)
    return functionsService({ ...values, domain, baseUrl, region, folder: join(scratchDirectory, 'functions') })
  },
  gaps: () => import('./unsupported.ts'),
  tenancy: () => import('./tenancy.ts'),
  needs,
  commands: {
    functions: async () => (await import('./commands/functions.ts')).functions,
    topics: async () => (await import('./commands/topics.ts')).topics,
  },
}
