import type { FastifyRequest } from 'fastify'
import { type Caller, tenantOf } from '../context.ts'
import type { Fence } from '../db/fence/fence.ts'
import { Misdirected } from '../db/fence/states.ts'
import type { Failure, Kind } from '../errors.ts'

type Found = Caller | undefined

/**
 * Rejects callers whose tenant lives in another cell, for operations that only read: a write learns it from PostgreSQL.
 * Without a promise for all others, since it is on the path of every request.
 */
export function ofThisCell(found: Found | Promise<Found>, fence: Fence): Found | Promise<Found> {
  if (found instanceof Promise) return found.then((caller) => ofThisCell(caller, fence))
  const tenant = tenantOf(found)
  if (tenant === undefined || fence.isHere(tenant)) return found
  return fence.confirmHere(tenant).then(() => found)
}

/** Head of a request, with names of headers in lower case. */
export interface RequestHead {
  readonly host: string
  /** Path and query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** Returns the tag by which a request names its tenant, if it does. */
export type TagIn = (head: RequestHead) => string | undefined

/** Returns what the caller is told instead of a failure. */
export type Departures = (request: FastifyRequest, failure: Failure) => Failure | Promise<Failure>

/** How services refuse callers whom they do not know, and addresses. */
const refusals: ReadonlySet<Kind> = new Set(['unauthenticated', 'forbidden', 'notFound'])

/**
 * A tenant that has left took its credentials along. So requests are refused that name it by its tag, and a router that
 * has not noticed must learn that another cell would serve them. Anyone may send a tag, but those who see the answer
 * are the routers, which keep it to themselves.
 */
export function departures(fence: Fence, tagIn: TagIn | undefined): Departures {
  return (request, failure) => {
    if (!tagIn || request.caller || !refusals.has(failure.kind)) return failure
    const headers = request.headers as RequestHead['headers']
    const tag = tagIn({ host: request.host ?? '', target: request.originalUrl, headers })
    if (tag === undefined) return failure
    return fence.confirmTagHere(tag).then(
      () => failure,
      (error) => (error instanceof Misdirected ? error : failure),
    )
  }
}
