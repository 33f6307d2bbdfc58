import { type Host, Media, type Outgoing, type Service, write } from '@icosa/kernel'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Held } from '../held.ts'
import { neutralSpelling, originalSpelling, type Spelling, serviceName } from '../names.ts'
import type { ConfigurationStoresSettings } from '../settings.ts'
import { type Access, admit } from './access.ts'
import type { Answer, BodyKind, Call } from './call.ts'
import { type Mount, mountsOf } from './mounts.ts'
import { type DataOperation, dataOperations } from './operations.ts'
import { failureOf, problemOf } from './problems.ts'
import { checkVersion, readQuery } from './query.ts'
import { checkContent } from './signature.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** To the store that it asks for, once it is let in. */
    storeAccess: Access | undefined
  }
}

/** The stores' own API, at their endpoints: what applications read their configuration with. */
export function dataPlane(settings: ConfigurationStoresSettings): NonNullable<Service<Held>['routes']> {
  return (host) => async (app) => {
    app.decorateRequest('storeAccess', undefined)
    for (const mount of mountsOf(settings)) for (const operation of dataOperations) serve(app, operation, mount, host)

    app.setErrorHandler((error, request, reply) => {
      const failure = failureOf(error)
      if (failure.kind === 'internal')
        host.platform.log.error({ err: failure.cause, requestId: request.id }, 'request failed')
      const { status, headers, body } = problemOf(failure, spellingOf(request))
      const outgoing = { status, headers, body: new Media(problemType, JSON.stringify(body)) }
      request.routeOptions.config.measure?.(request, outgoing)
      write(reply, outgoing)
    })
  }
}

const problemType = 'application/problem+json; charset=utf-8'
const noBody = new Uint8Array()

function serve(
  app: FastifyInstance,
  { id, method, path, right, handle }: DataOperation,
  mount: Mount,
  host: Host<Held>,
): void {
  const { platform } = host
  const { directory, findKeyValue } = host.held
  const metrics = platform.metrics.operation(serviceName, id)
  const operation = `${serviceName}:${id}`

  /** When the answer is handed over: a hook for after it has left would cost more than this. */
  function measure({ id, startedAt, storeAccess }: FastifyRequest, { status }: Outgoing): void {
    const durationMs = performance.now() - startedAt
    metrics.add(status, durationMs)
    platform.log.request({ id, operation, tenant: storeAccess?.store.tenant, status, durationMs })
  }

  app.route<{ Params: Record<string, string> }>({
    method: method === 'GET' ? ['GET', 'HEAD'] : method,
    url: mount.prefix + path,
    config: { measure },
    ...(mount.host && { constraints: { host: mount.host } }),

    // Before the body is read: a stranger's megabytes are not parsed.
    onRequest(request, reply, done) {
      const { method, headers, url: target } = request
      const arriving = { method, headers, target, address: () => host.exchangeOf(request, reply.raw).url }
      const enter = (access: Access) => {
        request.storeAccess = access
        host.admit(request, access.store.tenant)
      }
      const access = admit(arriving, mount.nameOf(request), right, platform, directory)
      if (access instanceof Promise) {
        access.then(enter).then(() => done(), done)
        return
      }
      enter(access)
      done()
    },

    handler(request, reply) {
      const { store, contentHash } = request.storeAccess as Access // set by onRequest, or it would not be here
      const { params, headers } = request
      const body = request.body instanceof Uint8Array ? request.body : noBody
      if (contentHash !== undefined) checkContent(contentHash, body)
      const query = readQuery(request.url)
      checkVersion(query)
      const address = () => host.exchangeOf(request, reply.raw).url
      const call: Call = { platform, store, params, query, headers, body, findKeyValue, address }
      platform
        .tracer(operation, () => handle(call))
        .then((answer) => {
          const outgoing = outgoingOf(answer, spellingOf(request))
          measure(request, outgoing)
          write(reply, outgoing)
        })
        .catch((error) => reply.send(error))
    },
  })
}

function outgoingOf({ status, headers, kind, body, sequence = '0' }: Answer, spelling: Spelling): Outgoing {
  const token = `icosa=${Buffer.from(`0:${sequence}`).toString('base64')};sn=${sequence}`
  return {
    status,
    headers: { ...headers, 'sync-token': token },
    body: kind && new Media(mediaType(kind, spelling), JSON.stringify(body)),
  }
}

const mediaType = (kind: BodyKind, { media }: Spelling) =>
  kind === 'json' ? 'application/json; charset=utf-8' : `${media}${kind}+json; charset=utf-8`

/** In the spelling that the caller asks for; clients of the original ask for theirs, or for none. */
const spellingOf = ({ headers }: FastifyRequest): Spelling =>
  headers.accept?.includes(neutralSpelling.media) ? neutralSpelling : originalSpelling
