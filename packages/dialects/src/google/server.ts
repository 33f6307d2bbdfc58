import type { Schema } from '@icosa/contract'
import { type Caller, type DialectServer, type Failure, type Incoming, Media } from '@icosa/kernel'
import { checkSubscription, enterSubscription } from '../arm/subscriptions.ts'
import { bearerCaller } from '../bearer.ts'
import { canonicalOf, httpStatusOf } from './codes.ts'
import { types } from './names.ts'
import { normalize } from './normalize.ts'

export interface GoogleOptions<Runtime = unknown> {
  /** Domain in error details. */
  readonly domain: string
  /** Path prefixes of the service at the node's root: clients know only a host. */
  readonly roots: readonly string[]
  /** Paths of an older version, which some clients mix in. */
  readonly spellings?: DialectServer['spellings']
  /** Adds what policies of the resource in the request allow its caller. */
  readonly authorize?: (caller: Caller, incoming: Incoming, runtime: Runtime) => Caller | Promise<Caller>
}

/** A project is a subscription: it belongs to one tenant, and is not found by others. */
export function googleServer<Runtime = unknown>({
  domain,
  roots,
  spellings = {},
  authorize,
}: GoogleOptions<Runtime>): DialectServer<Runtime> {
  return {
    authentication: { kind: 'bearer' },
    tenantSources: [{ in: 'path', pattern: '/projects/([^/]+)', gives: 'subscription' }],
    authenticate(incoming, credentials, runtime) {
      const found = bearerCaller(incoming, credentials)
      if (!authorize || found === undefined) return found
      if (!(found instanceof Promise)) return authorize(found, incoming, runtime)
      return found.then((caller) => caller && authorize(caller, incoming, runtime))
    },
    spellings,
    locate: ({ target }) => (roots.some((root) => target.startsWith(root)) ? target : undefined),
    normalize: (body, schema: Schema) => normalize(body, schema),

    async checkScope({ project }, context, platform) {
      if (project !== undefined) await checkSubscription({ id: project, noun: 'project' }, context, platform)
    },

    async enter({ project }, context, operation, platform) {
      if (project === undefined) return
      const isCreating = operation.method === 'POST' && !operation.reads
      await enterSubscription({ id: project, noun: 'project', isCreating }, context, operation, platform)
    },

    reply({ status, body, headers, next }) {
      const paged = next === undefined || body instanceof Media ? body : { ...Object(body), nextPageToken: next }
      return { status, headers, body: paged }
    },

    failure(failure) {
      const status = httpStatusOf(failure.kind)
      return {
        status,
        headers: status === 401 ? { 'www-authenticate': 'Bearer' } : {},
        body: {
          error: {
            code: status,
            message: failure.message,
            status: canonicalOf(failure.kind),
            details: detailsOf(failure, domain),
          },
        },
      }
    },
  }
}

function detailsOf({ kind, code, details }: Failure, domain: string) {
  const fieldViolations = details.map(({ at, message }) => ({ field: at, description: message }))
  return [
    { '@type': types.errorInfo, reason: code ?? canonicalOf(kind), domain },
    ...(fieldViolations.length > 0 ? [{ '@type': types.badRequest, fieldViolations }] : []),
  ]
}
