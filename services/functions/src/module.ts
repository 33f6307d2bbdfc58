import { lookup } from 'node:dns/promises'
import { join } from 'node:path'
import type { ServiceModule } from '@icosa/module'
import { needs } from './needs.ts'
import { settings, type Values } from './settings.ts'

export const module: ServiceModule<Values> = {
  settings,
  async create(values, { baseUrl, region, scratchDirectory }) {
    const { functionsService } = await import('./index.ts')
    const domain = await domainOf(values)
    return functionsService({ ...values, domain, baseUrl, region, folder: join(scratchDirectory, 'functions') })
  },
  absent: () => import('./absent.ts'),
  tenancy: () => import('./tenancy.ts'),
  needs,
  commands: {
    functions: async () => (await import('./commands/functions.ts')).functions,
    topics: async () => (await import('./commands/topics.ts')).topics,
  },
}

const localDomain = 'fn.localhost'

/** Browsers resolve names below `localhost` themselves, other programs only if the system does. */
async function domainOf({ domain }: Values): Promise<string | undefined> {
  if (domain !== 'auto') return domain === 'none' ? undefined : domain
  const isResolved = await lookup(`any.${localDomain}`).catch(() => undefined)
  return isResolved && localDomain
}
