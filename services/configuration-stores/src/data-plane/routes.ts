import type { Host, Service } from '@icosa/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { neutralSpelling, originalSpelling, type Spelling, serviceName } from '../names.ts'
import type { ConfigurationStoresSettings } from '../settings.ts'
import { type Access, admit } from './access.ts'
import type { Answer, BodyKind, Call } from './call.ts'
import { type Directory, storeDirectory } from './directory.ts'
import { type Mount, mountsOf } from './mounts.ts'
import { type DataOperation, dataOperations } from './operations.ts'
import { failureOf, problemOf } from './problems.ts'
import { checkVersion, readQuery } from './query.ts'
import type { RecentChanges } from './recent-changes.ts'

/** The stores' own API, at their endpoints: what applications read their configuration with. */
export function dataPlane(
  settings: ConfigurationStoresSettings,
  recent: RecentChanges,
): NonNullable<Service['routes']> {
  return (host) => async (app) => {
    const directory = storeDirectory(host.platform, recent)
    for (const mount of mountsOf(settings))
      for (const operation of dataOperations) serve(app, host, operation, mount, directory)

    app.setErrorHandler((error, request, reply) => {
      const failure = failureOf(error)
      if (failure.kind === 'internal')
        host.platform.log.error({ err: failure.cause, requestId: request.id }, 'request failed')
      const { status, headers, body } = problemOf(failure, spellingOf(request))
      return send(reply, status, headers, 'application/problem+json; charset=utf-8', body)
    })
  }
}

function serve(
  app: FastifyInstance,
  host: Host,
  { id, method, path, right, handle }: DataOperation,
  mount: Mount,
  directory: Directory,
): void {
  const { platform } = host
  const admitted = new WeakMap<FastifyRequest, Access>()
  const metrics = platform.metrics.operation(serviceName, id)
  const operation = `${serviceName}:${id}`
  const addressOf = (request: FastifyRequest, reply: FastifyReply) => host.exchangeOf(request, reply.raw).url

  app.route<{ Params: Record<string, string> }>({
    method: method === 'GET' ? ['GET', 'HEAD'] : method,
    url: mount.prefix + path,
    ...(mount.host && { constraints: { host: mount.host } }),

    // Before the body is read: a stranger's megabytes are not parsed.
    async onRequest(request, reply) {
      const { method, headers, url: target } = request
      const arriving = { method, headers, target, address: () => addressOf(request, reply) }
      admitted.set(request, await admit(arriving, mount.nameOf(request), right, platform, directory))
    },

    async handler(request, reply) {
      const access = admitted.get(request) as Access // set by onRequest, or the request would not be here
      const body = request.body instanceof Uint8Array ? request.body : new Uint8Array()
      access.checkBody(body)
      const query = readQuery(request.url)
      checkVersion(query)
      const { params, headers } = request
      const address = () => addressOf(request, reply)
      const call: Call = { platform, store: access.store, params, query, headers, body, address }
      return answer(request, reply, await platform.tracer(operation, () => handle(call)))
    },

    onResponse(request, reply, done) {
      const { statusCode: status, elapsedTime: durationMs } = reply
      metrics.add(status, durationMs)
      const tenant = admitted.get(request)?.store.tenant
      platform.log.request({ id: request.id, operation, tenant, status, durationMs })
      done()
    },
  })
}

function answer(request: FastifyRequest, reply: FastifyReply, { status, headers, kind, body, sequence = '0' }: Answer) {
  const token = `icosa=${Buffer.from(`0:${sequence}`).toString('base64')};sn=${sequence}`
  return send(reply, status, { ...headers, 'sync-token': token }, kind && mediaType(kind, spellingOf(request)), body)
}

function send(
  reply: FastifyReply,
  status: number,
  headers: Readonly<Record<string, string>>,
  type: string | undefined,
  body: unknown,
): FastifyReply {
  reply.code(status).headers({ 'x-request-id': reply.request.id, ...headers })
  if (type !== undefined) reply.type(type)
  return reply.send(body === undefined ? undefined : JSON.stringify(body))
}

const mediaType = (kind: BodyKind, { media }: Spelling) =>
  kind === 'json' ? 'application/json; charset=utf-8' : `${media}${kind}+json; charset=utf-8`

/** In the spelling that the caller asks for; clients of the original ask for theirs, or for none. */
const spellingOf = ({ headers }: FastifyRequest): Spelling =>
  headers.accept?.includes(neutralSpelling.media) ? neutralSpelling : originalSpelling
