import type { IncomingMessage, ServerResponse } from 'node:http'
import { Failure } from '../../errors.ts'
import { share } from '../../sharing/share.ts'
import { limits } from '../limits.ts'
import type { BodyPlan } from './read.ts'
import { hasBody } from './slow-bodies.ts'

/** Reserves memory for a body before it is read, for as long as its request lasts. */
export type ReserveBody = (
  request: IncomingMessage,
  response: ServerResponse,
  party: string,
  plan?: Pick<BodyPlan, 'maxBytes' | 'heldBytes'>,
) => void

export interface BodyMemory {
  readonly reserveBody: ReserveBody
  /** The same for a file on its way out. */
  reserveStream(response: ServerResponse, party: string): void
}

export function bodyMemory(capacity: number = limits.bodiesBytes): BodyMemory {
  const memory = share(capacity)

  function take(response: ServerResponse, party: string, amount: number): void {
    if (!memory.take(party, amount))
      throw new Failure('rateLimited', 'Too many of your requests are being read: send fewer at once.', {
        retryAfterSeconds: 1,
      })
    response.once('close', () => memory.give(party, amount))
  }

  return {
    reserveBody(request, response, party, { maxBytes, heldBytes = maxBytes } = usual) {
      if (!hasBody(request)) return
      const announced = Number(request.headers['content-length'] ?? maxBytes)
      if (announced > maxBytes) return // refused where it is read
      take(response, party, Math.min(announced, heldBytes))
    },
    reserveStream: (response, party) => take(response, party, limits.streamBytes),
  }
}

const usual: Pick<BodyPlan, 'maxBytes' | 'heldBytes'> = { maxBytes: limits.bodyBytes }
