import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { assert } from '../assert.ts'
import type { Caller } from '../context.ts'
import { type FairGate, fairGate } from '../sharing/fair-gate.ts'
import { bodyMemory, type ReserveBody } from './body/memory.ts'
import { networkOf } from './connection/network.ts'
import { limits } from './limits.ts'
import { type RateLimit, rateLimiter } from './rate-limit.ts'

/** What stands between a request and its handler, on every route there is. */
export interface Gates extends FairGate {
  /** From here on a tenant's request uses the tenant's share of the node and rate; an anonymous one, its address's. */
  admit(request: FastifyRequest, caller: Caller | undefined, service: string): void
  readonly reserveBody: ReserveBody
  readonly reserveStream: (response: ServerResponse, party: string) => void
  /** For handlers that read a stream, as slowly as it comes: they hold no connection of the database meanwhile. */
  readonly streams: FairGate
}

/** Must return at once. Throws a failure to refuse a request. */
export type Admission = (tenant: string, service: string) => void

export function openGates(rateLimit: RateLimit | undefined, admissions: readonly Admission[]): Gates {
  const count = rateLimiter(rateLimit)
  const memory = bodyMemory()
  return {
    ...fairGate(limits.running, limits),
    admit(request, caller, service) {
      if (!caller || caller.isAnonymous) return count(request.party)
      const { tenant } = caller
      assert(tenant !== '', 'A caller has a tenant, or is anonymous.')
      request.party = tenant
      count(tenant)
      for (const admit of admissions) admit(tenant, service)
    },
    ...memory,
    streams: fairGate(limits.streams, limits),
  }
}

/** Anonymous callers are known by their network. No tenant is named so. */
export const addressParty = (address: string) => `address ${networkOf(address)}`
