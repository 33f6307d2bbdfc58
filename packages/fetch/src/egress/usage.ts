import { Transform } from 'node:stream'
import { recentlyUsed } from '@icosa/kernel'

/** What a tenant uses on this node. */
export interface Usage {
  connections: number
  /** Counts bytes; returns how long to wait before the next ones. */
  take(bytes: number): number
}

const maxTenants = 10_000

export function usageOf(bytesPerSecond: number): (tenant: string) => Usage {
  const tenants = recentlyUsed<Usage>('egress tenants', maxTenants)
  return (tenant) => {
    let usage = tenants.get(tenant)
    if (!usage) {
      usage = { connections: 0, take: tokenBucket(bytesPerSecond) }
      tenants.set(tenant, usage)
    }
    return usage
  }
}

function tokenBucket(perSecond: number): Usage['take'] {
  let available = perSecond
  let since = performance.now()
  return (bytes) => {
    const now = performance.now()
    available = Math.min(perSecond, available + ((now - since) / 1_000) * perSecond) - bytes
    since = now
    return Math.max(0, (-available / perSecond) * 1_000)
  }
}

/** Passes bytes on at the tenant's rate. */
export const throttled = (usage: Usage): Transform =>
  new Transform({
    transform(chunk: Buffer, _, next) {
      const waitMs = usage.take(chunk.length)
      if (waitMs < 1) next(null, chunk)
      else setTimeout(next, waitMs, null, chunk).unref()
    },
  })
