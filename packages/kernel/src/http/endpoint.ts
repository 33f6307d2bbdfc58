import { type ReplyWith, writes } from '@icosa/contract'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Caller } from '../context.ts'
import { Failure } from '../errors.ts'
import { type AnyPrepared, Engine, type Handler, Media, Prepared } from '../implement.ts'
import type { Platform } from '../platform.ts'
import type { Exchange, Incoming, Outgoing, ServiceOperation } from '../service.ts'
import { RequestContext } from './context.ts'
import type { Gates } from './gates.ts'
import { exchangeOf, type RequestObserver } from './observe.ts'
import { replyChecker } from './replies.ts'
import { pathMatcher, segmentsOf, toRoute } from './route.ts'
import { respond } from './unread.ts'
import { bodyReader, textReader } from './validate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Counts and logs the answer of an operation. */
    measure?: (request: FastifyRequest, outgoing: Outgoing) => void
  }
  interface FastifyRequest {
    caller: Caller | undefined
    startedAt: number
    /** Whose share of the node it uses: the tenant's, or that of a stranger's address. */
    party: string
  }
}

export interface EndpointOptions {
  readonly platform: Platform
  readonly gates: Gates
  readonly incoming: (request: FastifyRequest) => Incoming
  readonly observers: readonly RequestObserver[]
  readonly exchange: (request: FastifyRequest, reply: FastifyReply) => Exchange
  /** Tests refuse replies that the contract does not have. */
  readonly checkReplies: boolean
}

/** One operation as a route. The path of a request through it reads from top to bottom. */
export function endpoint(served: ServiceOperation, options: EndpointOptions, path: string): RouteOptions {
  const { operation, permission, service } = served
  const { platform, gates, incoming, exchange, observers } = options
  const { dialect } = service
  const route = toRoute(path)
  const sameCase = operation.dialect.caseSensitive ? pathMatcher(`/${service.name}${path}`) : undefined
  const readQuery = textReader(operation.query, 'query')
  const readHeaders = textReader(operation.headers, 'headers')
  const readBody = bodyReader(operation)
  const check = options.checkReplies ? replyChecker(operation) : undefined
  const inTransaction = writes(operation)
  const isSigned = dialect.authentication.kind === 'signature'
  const metrics = platform.metrics.operation(service.name, served.id)

  function identify(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    if (operation.open || served.handler instanceof Engine) {
      gates.reserveBody(request.raw, reply.raw, request.party)
      done()
      return
    }
    const found = dialect.authenticate(incoming(request), platform.credentials)
    if (found instanceof Promise) {
      found.then((caller) => admit(request, reply, caller)).then(() => done(), done)
      return
    }
    admit(request, reply, found)
    done()
  }

  /** Before the body is parsed, and read if it is not signed: a stranger's megabytes cost little. */
  function admit(request: FastifyRequest, reply: FastifyReply, found: Caller | undefined): void {
    if (!found) throw new Failure('unauthenticated', 'Send a valid credential.')
    request.caller = found
    if (!found.allows(permission)) throw new Failure('forbidden', `The credential lacks the permission ${permission}.`)
    gates.admit(request, found.tenant)
    dialect.check?.(incoming(request), operation)
    if (!isSigned) gates.reserveBody(request.raw, reply.raw, request.party)
  }

  async function call(handler: Handler | AnyPrepared, request: FastifyRequest): Promise<ReplyWith<number, unknown>> {
    const input = {
      params: route.params(request.params as Record<string, string>),
      // Parsed when it is looked at, so it is looked at only where the contract has one.
      query: operation.query && readQuery(request.query as Record<string, unknown>),
      headers: readHeaders(request.headers),
      body: await readBody(request.body, request.headers['content-type'] ?? ''),
    }
    const caller = request.caller ?? nobody
    const outside = () => new RequestContext(platform, service.name, caller, request)
    // What reaches outside the database is done while no transaction is open: it would hold a connection meanwhile.
    const inside = handler instanceof Prepared ? await handler.prepare(input, outside()) : undefined
    const run = async (context: RequestContext) => {
      await dialect.enter?.(input.params, context, operation, platform)
      return inside ? inside(context) : (handler as Handler)(input, context)
    }
    if (!inTransaction) return run(outside())
    let touched: Iterable<string> = []
    const reply = await platform.database.of(request.party).transaction(async (db) => {
      const context = new RequestContext(platform, service.name, caller, request, db)
      const result = await run(context)
      touched = context.touched
      return result
    })
    platform.queue.wake(touched)
    return reply
  }

  /** When the answer is handed over: a hook for after it has left would cost more than all of this. */
  function measure(request: FastifyRequest, outgoing: Outgoing): void {
    const { status } = outgoing
    const durationMs = performance.now() - request.startedAt
    const tenant = request.caller?.tenant
    metrics.add(status, durationMs)
    platform.log.request({ id: request.id, operation: permission, tenant, status, durationMs })
    if (tenant === undefined) return
    for (const observe of observers)
      observe(tenant, service.name, () => exchangeOf(request, served, outgoing, durationMs))
  }

  function answer(request: FastifyRequest, reply: FastifyReply, result: ReplyWith<number, unknown>): void {
    const wrong = check && !(result.body instanceof Media) ? check(result.status, result.body) : []
    if (wrong.length > 0)
      throw new Error(`${permission} broke its contract: ${wrong.map((one) => `${one.at} ${one.message}`).join('; ')}`)
    const outgoing = dialect.reply(result, operation, incoming(request))
    measure(request, outgoing)
    write(reply, outgoing)
  }

  return {
    url: route.url,
    method: operation.method,
    config: { measure },

    onRequest(request, reply, done) {
      if (sameCase && !sameCase(segmentsOf(pathOf(request.url))))
        throw new Failure('notFound', `${request.method} ${pathOf(request.url)} is not an operation.`)
      if (!isSigned) return identify(request, reply, done)
      gates.reserveBody(request.raw, reply.raw, request.party) // read before its sender is known
      done()
    },
    ...(isSigned && { preValidation: identify }),

    handler(request, reply) {
      const { handler } = served
      if (handler instanceof Engine) {
        reply.raw.setHeader('x-request-id', request.id)
        reply.raw.once('finish', () => measure(request, { status: reply.raw.statusCode, body: undefined }))
        platform
          .tracer(permission, () => gates.run(request.party, () => handler.serve(exchange(request, reply))))
          .then(() => reply.hijack())
          .catch((error) => reply.send(error))
        return
      }
      platform
        .tracer(permission, () => gates.run(request.party, () => call(handler, request)))
        .then((result) => answer(request, reply, result))
        .catch((error) => reply.send(error))
    },
  }
}

/** Whoever calls an open operation: a tenant that owns nothing. */
const nobody: Caller = { id: 'nobody', tenant: '', allows: () => false }

/** Without the query, which may hold what a log should not. */
export const pathOf = (url: string) => url.split('?', 1)[0] as string

/** Straight to the socket: Fastify's own way out has hooks and serializers that nothing here uses. */
export function write(reply: FastifyReply, { status, headers, body }: Outgoing): void {
  const { mediaType, content } = body instanceof Media ? body : jsonOf(body)
  const all: Record<string, string | number> = { 'x-request-id': reply.request.id, ...headers }
  if (mediaType !== undefined) all['content-type'] = mediaType
  if (status !== 204 && status !== 304) all['content-length'] = Buffer.byteLength(content)
  reply.hijack()
  respond(reply.request.raw, reply.raw, { status, headers: all, content })
}

const jsonOf = (body: unknown) =>
  body === undefined
    ? { mediaType: undefined, content: '' }
    : { mediaType: 'application/json; charset=utf-8', content: JSON.stringify(body) }
