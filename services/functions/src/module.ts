import { join } from 'node:path'
import type { ServiceModule } from '@icosa/module'
import { needs } from './needs.ts'
import { settings, type Values } from './settings.ts'

export const module: ServiceModule<Values> = {
  settings,
  async create(values, { baseUrl, region, dataDirectory }) {
    const { functionsService } = await import('./index.ts')
    return functionsService({ ...values, baseUrl, region, folder: join(dataDirectory, 'functions') })
  },
  absent: () => import('./absent.ts'),
  tenancy: () => import('./tenancy.ts'),
  needs,
  commands: {
    functions: async () => (await import('./commands/functions.ts')).functions,
    topics: async () => (await import('./commands/topics.ts')).topics,
  },
}
