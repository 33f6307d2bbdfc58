import { lookup } from 'node:dns/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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
  gaps: () => import('./unsupported.ts'),
  tenancy: () => import('./tenancy.ts'),
  needs,
  commands: {
    functions: async () => (await import('./commands/functions.ts')).functions,
    topics: async () => (await import('./commands/topics.ts')).topics,
  },
}

const localDomain = 'fn.localhost'

/** Names below `localhost` are resolved without a name server, and so quickly. */
const maxLookupMs = 1_000

/** Browsers resolve names below `localhost` themselves, other programs only if the system does. */
async function domainOf({ domain }: Values): Promise<string | undefined> {
  if (domain !== 'auto') return domain === 'none' ? undefined : domain
  const timeout = sleep(maxLookupMs, undefined, { ref: false })
  const resolved = await Promise.race([lookup(`any.${localDomain}`).catch(() => undefined), timeout])
  return resolved && /^(127\.|::1$)/.test(resolved.address) ? localDomain : undefined
}
