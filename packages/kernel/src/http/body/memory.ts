import type { IncomingMessage, ServerResponse } from 'node:http'
import { Failure } from '../../errors.ts'
import { fairQuota } from '../../sharing/fair-quota.ts'
import { limits } from '../limits.ts'
import type { BodyPlan } from './read.ts'
import { hasBody } from './slow-bodies.ts'

/** Reserves memory for a body before it is read, until the response closes. */
export type ReserveBody = (
  request: IncomingMessage,
  response: ServerResponse,
  fairnessKey: string,
  plan?: Pick<BodyPlan, 'maxBytes' | 'heldBytes'>,
) => void

export interface BodyMemory {
  readonly reserveBody: ReserveBody
  /** Reserves buffers for a streamed reply. */
  reserveStream(response: ServerResponse, fairnessKey: string): void
}

export function bodyMemory(capacity: number = limits.bodiesBytes): BodyMemory {
  const memory = fairQuota(capacity)

  function reserve(response: ServerResponse, fairnessKey: string, amount: number): void {
    if (!memory.acquire(fairnessKey, amount))
      throw new Failure('rateLimited', 'Too many of your requests are being read: send fewer concurrently.', {
        retryAfterSeconds: 1,
      })
    response.once('close', () => memory.release(fairnessKey, amount))
  }

  return {
    reserveBody(request, response, fairnessKey, { maxBytes, heldBytes = maxBytes } = defaultPlan) {
      if (!hasBody(request)) return
      const announced = Number(request.headers['content-length'] ?? maxBytes)
      if (announced > maxBytes) return // refused when it is read
      reserve(response, fairnessKey, Math.min(announced, heldBytes))
    },
    reserveStream: (response, fairnessKey) => reserve(response, fairnessKey, limits.streamBytes),
  }
}

const defaultPlan: Pick<BodyPlan, 'maxBytes' | 'heldBytes'> = { maxBytes: limits.bodyBytes }
