import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { assert } from '../assert.ts'
import type { Caller } from '../context.ts'
import { type FairSemaphore, fairSemaphore } from '../sharing/fair-semaphore.ts'
import { bodyMemory, type ReserveBody } from './body/memory.ts'
import { networkOf } from './connection/network.ts'
import { limits } from './limits.ts'
import { type RateLimit, rateLimiter } from './rate-limit.ts'

/** Rate limits, concurrency limits and memory quotas in front of every handler. */
export interface Gates extends FairSemaphore {
  /** Charges the request to its tenant, or to its address if anonymous: rate limit, and from here on its fair share. */
  admit(request: FastifyRequest, caller: Caller | undefined, service: string): void
  readonly reserveBody: ReserveBody
  readonly reserveStream: (response: ServerResponse, fairnessKey: string) => void
  /** For handlers that read a stream at its sender's pace, without a database connection. */
  readonly streams: FairSemaphore
}

/** Synchronous. Throws a failure to refuse a request. */
export type Admission = (tenant: string, service: string) => void

export function openGates(rateLimit: RateLimit | undefined, admissions: readonly Admission[]): Gates {
  const count = rateLimiter(rateLimit)
  const memory = bodyMemory()
  return {
    ...fairSemaphore(limits.running, limits),
    admit(request, caller, service) {
      if (!caller || caller.isAnonymous) return count(request.fairnessKey)
      const { tenant } = caller
      assert(tenant !== '', 'A caller has a tenant, or is anonymous.')
      request.fairnessKey = tenant
      count(tenant)
      for (const admit of admissions) admit(tenant, service)
    },
    ...memory,
    streams: fairSemaphore(limits.streams, limits),
  }
}

/** Anonymous callers are identified by their network. No tenant can have such a name. */
export const addressKey = (address: string) => `address ${networkOf(address)}`
