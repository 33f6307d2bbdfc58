import { lookup } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Values } from './settings.ts'

const localDomain = 'fn.localhost'

/** Names below `localhost` are resolved without a name server, and so quickly. */
const maxLookupMs = 1_000

/** Domain of the hosts of functions. Browsers resolve names below `localhost` themselves, other programs only if the system does. */
export async function domainOf({ domain }: Pick<Values, 'domain'>): Promise<string | undefined> {
  if (domain !== 'auto') return domain === 'none' ? undefined : domain
  const timeout = sleep(maxLookupMs, undefined, { ref: false })
  const resolved = await Promise.race([lookup(`any.${localDomain}`).catch(() => undefined), timeout])
  return resolved && /^(127\.|::1$)/.test(resolved.address) ? localDomain : undefined
}
