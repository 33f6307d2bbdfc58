import type { FastifyRequest } from 'fastify'
import { type FairGate, fairGate } from '../fair-gate.ts'
import { bodyMemory, type ReserveBody } from './bodies.ts'
import { limits } from './limits.ts'
import { type RateLimit, rateLimiter } from './rate-limit.ts'

/** What stands between a request and its handler, on every route there is. */
export interface Gates extends FairGate {
  /** From here on the request is a tenant's: counted against its rate, and using its share of the node. */
  admit(request: FastifyRequest, tenant: string): void
  readonly reserveBody: ReserveBody
}

export function openGates(rateLimit: RateLimit | undefined): Gates {
  const count = rateLimiter(rateLimit)
  return {
    ...fairGate(limits.running, limits),
    admit(request, tenant) {
      request.party = tenant
      count(tenant)
    },
    reserveBody: bodyMemory(),
  }
}

/** Strangers are known by their address. No tenant is named so. */
export const strangerAt = (address: string) => `address ${address}`
