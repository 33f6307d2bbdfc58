import { type Operation, type ReplyWith, writes } from '@icosa/contract'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { AnonymousCaller, type Caller, tenantOf } from '../context.ts'
import type { Authentication, Incoming, Outgoing } from '../dialect.ts'
import { Failure, NoOperation } from '../errors.ts'
import { type AnyPrepared, Engine, type Handler, Media, Prepared } from '../implement.ts'
import type { ServiceOperation } from '../operations.ts'
import type { Platform } from '../platform.ts'
import type { Exchange, StartedService } from '../service.ts'
import type { Trace } from '../telemetry/telemetry.ts'
import { type BodyPlan, bodyPlan, bodyReader, refuseEncoded } from './body/read.ts'
import type { Gates } from './gates.ts'
import { paramsReader } from './input/params.ts'
import { queryReader, textReader } from './input/validate.ts'
import { observedExchange, type RequestObserver } from './observe.ts'
import { replyChecker } from './reply/check.ts'
import { answerOf, respond } from './reply/respond.ts'
import { isStreamed, openStreamed, sendStreamed } from './reply/streamed.ts'
import { RequestContext } from './request-context.ts'
import { type Departures, ofThisCell } from './residence.ts'
import { type PathMatcher, pathMatcher, type Route, segmentsOf, toRoute } from './route/route.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body is left to the handler. */
    isRaw?: boolean
    /** Whether a route outside the operations is a proxy, with its upstream's limits. */
    isRelayed?: boolean
    /** Counts and logs the response of an operation. */
    measure?: (request: FastifyRequest, outgoing: Outgoing) => void
  }
  interface FastifyRequest {
    caller: Caller | undefined
    startedAt: number
    /** The dialect's view, created on demand. */
    incoming: Incoming | undefined
    /** The trace it belongs to, created on demand. */
    trace: Trace | undefined
    /** The tenant, or the address of an anonymous caller. */
    fairnessKey: string
  }
}

export interface EndpointOptions {
  readonly platform: Platform
  readonly gates: Gates
  readonly incoming: (request: FastifyRequest, paramsOf?: Route['params']) => Incoming
  readonly departures: Departures
  readonly refuseCrossOrigin: (request: FastifyRequest) => void
  readonly observers: readonly RequestObserver[]
  readonly exchange: (request: FastifyRequest, reply: FastifyReply) => Exchange
  /** For tests: fails replies that the contract does not declare. */
  readonly checkReplies: boolean
}

/** An operation as a route, at a full path. Reads from top to bottom, in the order of a request. */
export function endpoint(
  served: ServiceOperation<StartedService>,
  options: EndpointOptions,
  path: string,
): Omit<RouteOptions, 'method'> {
  const { operation, permission, service } = served
  const { platform, gates, exchange, observers } = options
  const { dialect } = served.api
  const route = toRoute(path)
  const incoming = (request: FastifyRequest): Incoming => {
    request.incoming ??= options.incoming(request, route.params)
    return request.incoming
  }
  const traceOf = (request: FastifyRequest): Trace => {
    request.trace ??= platform.traces.begin('request', request.headers)
    return request.trace
  }
  let matches: PathMatcher | undefined
  const isSameCase = (url: string): boolean => {
    matches ??= pathMatcher(path)
    return matches(segmentsOf(pathOf(url)))
  }
  const readParams = paramsReader(operation.params)
  const readQuery = queryReader(operation)
  const readHeaders = textReader(operation.headers, 'headers')
  const readBody = bodyReader(operation, dialect)
  const plan = bodyPlan(operation)
  const check = options.checkReplies ? replyChecker(operation) : undefined
  const inTransaction = writes(operation)
  const isSigned = dialect.authentication.kind === 'signature'
  checkStreams(served, plan, isSigned)
  const metrics = platform.metrics.operation(service.name, served.id)

  function identify(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    if (operation.open || served.handler instanceof Engine) {
      gates.admit(request, undefined, service.name)
      gates.reserveBody(request.raw, reply.raw, request.fairnessKey, plan)
      done()
      return
    }
    const found = dialect.authenticate(incoming(request), platform.credentials, service.runtime)
    const lookup = ofThisCell(found, platform.database.fence)
    if (lookup instanceof Promise) {
      lookup.then((caller) => isAnswered(request, reply, caller)).then((answered) => answered || done(), done)
      return
    }
    if (!isAnswered(request, reply, lookup)) done()
  }

  /** Refuses the request, or serves it from the dialect's cache. */
  function isAnswered(request: FastifyRequest, reply: FastifyReply, caller: Caller | undefined): boolean {
    admit(request, reply, caller)
    return isServedFromCache(request, reply)
  }

  function isServedFromCache(request: FastifyRequest, reply: FastifyReply): boolean {
    if (platform.faultInjector?.(permission)) return false
    const outgoing = dialect.cachedResponse?.(incoming(request), request.caller as Caller, service.runtime)
    if (outgoing) measure(request, outgoing)
    if (outgoing) write(reply, outgoing)
    return outgoing !== undefined
  }

  /** Runs before the body is parsed and, if unsigned, read: an unauthenticated upload costs little. */
  function admit(request: FastifyRequest, reply: FastifyReply, caller: Caller | undefined): void {
    if (!caller) throw new Failure('unauthenticated', credentialAdvice(dialect.authentication))
    request.caller = caller
    if (!caller.allows(permission)) throw new Failure('forbidden', `The credential lacks the permission ${permission}.`)
    gates.admit(request, caller, service.name)
    dialect.check?.(incoming(request), operation, caller)
    if (!isSigned) gates.reserveBody(request.raw, reply.raw, request.fairnessKey, plan)
  }

  type Result = ReplyWith<number, unknown>

  async function call(handler: Handler | AnyPrepared, request: FastifyRequest): Promise<Result> {
    const finish = await begin(handler, request)
    return finish()
  }

  /** Stream readers take slots of their own, as slow senders would block all others. */
  async function callWhileReading(handler: Handler | AnyPrepared, request: FastifyRequest): Promise<Result> {
    const readsItself = plan.isStream && !(handler instanceof Prepared)
    if (readsItself) return gates.streams.run(request.fairnessKey, () => call(handler, request))
    const finish = await gates.streams.run(request.fairnessKey, () => begin(handler, request))
    return gates.run(request.fairnessKey, finish)
  }

  /** Reads and validates the input. The result runs the handler. */
  async function begin(handler: Handler | AnyPrepared, request: FastifyRequest): Promise<() => Promise<Result>> {
    const caller = request.caller ?? new AnonymousCaller(request.ip)
    dialect.checkBody?.(incoming(request), caller)
    if (operation.body) refuseEncoded(request.headers['content-encoding'])
    const input = {
      params: readParams(route.params(request.params as Record<string, string>)),
      // Parsed on access, so accessed only if the contract has one.
      query: operation.query && readQuery(request.query as Record<string, unknown>),
      headers: readHeaders(request.headers),
      body: await readBody(request.body, request.headers['content-type'] ?? ''),
    }
    const outside = () => new RequestContext(platform, service, caller, request)
    // Access outside the database comes first: a transaction would hold a connection meanwhile.
    let inside: Awaited<ReturnType<AnyPrepared['prepare']>> | undefined
    if (handler instanceof Prepared) {
      const context = outside()
      await dialect.checkScope?.(input.params, context, platform)
      inside = await handler.prepare(input, context)
    }
    const run = async (context: RequestContext) => {
      await dialect.enter?.(input.params, context, operation, platform)
      return inside ? inside(context) : (handler as Handler)(input, context)
    }
    if (!inTransaction) return () => run(outside())
    return async () => {
      let touched: Iterable<string> = []
      const reply = await platform.database.of(request.fairnessKey).transaction(async (db) => {
        const context = new RequestContext(platform, service, caller, request, db)
        const result = await run(context)
        touched = context.touched
        return result
      }, tenantOf(request.caller))
      platform.queue.wake(touched)
      return reply
    }
  }

  /** Measured when the response is written: an `onResponse` hook would cost more than all of this. */
  function measure(request: FastifyRequest, outgoing: Outgoing): void {
    const { status } = outgoing
    const durationMs = performance.now() - request.startedAt
    const tenant = tenantOf(request.caller)
    metrics.add(status, durationMs)
    const trace = traceOf(request)
    platform.log.request({ id: request.id, operation: permission, tenant, status, durationMs, traceId: trace.traceId })
    if (trace.isRecorded) record(request, trace, status)
    if (tenant === undefined) return
    for (const observe of observers)
      observe(tenant, service.name, () => observedExchange(request, served, outgoing, durationMs))
  }

  function record({ id, method, startedAt, caller }: FastifyRequest, trace: Trace, status: number): void {
    const http = { 'http.request.method': method, 'http.response.status_code': status }
    const attributes = { ...http, 'icosa.request': id, 'icosa.tenant': tenantOf(caller) }
    platform.traces.end(trace, { name: permission, startedAt, attributes, hasFailed: status >= 500 })
  }

  function answer(request: FastifyRequest, reply: FastifyReply, result: Result): void | Promise<void> {
    const details = check && !(result.body instanceof Media) ? check(result.status, result.body, result.headers) : []
    if (details.length > 0)
      throw new Error(
        `${permission} broke its contract: ${details.map(({ at, message }) => `${at} ${message}`).join('; ')}`,
      )
    const outgoing = dialect.reply(result, operation, incoming(request), service.runtime)
    if (isStreamed(outgoing)) return answerStreamed(request, reply, outgoing)
    measure(request, outgoing)
    write(reply, outgoing, operation.replyType)
  }

  async function answerStreamed(request: FastifyRequest, reply: FastifyReply, outgoing: Outgoing): Promise<void> {
    const opened = await openStreamed(request.raw, outgoing, () => gates.reserveStream(reply.raw, request.fairnessKey))
    const headers = { 'x-request-id': request.id, ...opened.headers }
    measure(request, { ...outgoing, status: opened.status, headers })
    reply.hijack()
    await sendStreamed(reply.raw, { ...opened, headers }).catch(
      // The headers are sent, so no error can be reported: the connection closes before the content ends.
      (error: NodeJS.ErrnoException) => {
        const hasLeft = error.code === 'ERR_STREAM_PREMATURE_CLOSE'
        if (!hasLeft) platform.log.warn({ err: error, requestId: request.id }, 'a reply was aborted')
      },
    )
  }

  function traced<T>(request: FastifyRequest, reply: FastifyReply, work: () => Promise<T>): Promise<T> {
    return platform.traces.within(
      traceOf(request),
      () => platform.faultInjector?.(permission)?.request(request.raw, reply.raw, work) ?? work(),
    )
  }

  return {
    url: route.url,
    bodyLimit: plan.maxBytes,
    config: { measure, isRaw: plan.isRaw },

    onRequest(request, reply, done) {
      if (operation.dialect.caseSensitive && !isSameCase(request.url))
        throw new NoOperation('notFound', `${request.method} ${pathOf(request.originalUrl)} is not an operation.`)
      if (!(served.handler instanceof Engine)) options.refuseCrossOrigin(request) // protocols have forms of other sites
      if (!isSigned) return identify(request, reply, done)
      gates.reserveBody(request.raw, reply.raw, request.fairnessKey, plan) // read before authentication, which needs it
      done()
    },
    ...(isSigned && { preValidation: identify }),

    handler(request, reply) {
      const { handler } = served
      if (handler instanceof Engine) {
        reply.raw.setHeader('x-request-id', request.id)
        reply.raw.once('finish', () => measure(request, { status: reply.raw.statusCode, body: undefined }))
        traced(request, reply, () => gates.run(request.fairnessKey, () => handler.serve(exchange(request, reply))))
          .then(() => reply.hijack())
          .catch((error) => reply.send(error))
        return
      }
      traced(request, reply, () =>
        plan.isRaw ? callWhileReading(handler, request) : gates.run(request.fairnessKey, () => call(handler, request)),
      )
        .then((result) => answer(request, reply, result))
        .catch((error) => reply.send(error))
    },
  }
}

/** Fails at start-up if an operation could not read its body as a stream. */
function checkStreams({ operation, permission, handler }: ServiceOperation, plan: BodyPlan, isSigned: boolean): void {
  if (plan.isRaw && isSigned)
    throw new Error(`${permission}: a signature covers the whole body, so it cannot be a stream.`)
  if (plan.isStream && writes(operation) && !(handler instanceof Prepared))
    throw new Error(
      `${permission}: a stream is read before the transaction, in the first part of withPreparation(...).`,
    )
}

/** HEAD is served wherever GET is (RFC 9110, 9.1). */
export const methodsOf = ({ method }: Operation, hasOwnHead = false): string[] =>
  method === 'GET' && !hasOwnHead ? [method, 'HEAD'] : [method]

function credentialAdvice(authentication: Authentication): string {
  if (authentication.kind === 'key') return `Send a valid key in the header ${authentication.header}.`
  if (authentication.kind === 'bearer') return 'Send a valid token or key in the header Authorization, after "Bearer ".'
  if (authentication.kind === 'basic') return 'Send a user name and a valid key in the header Authorization (Basic).'
  return 'Send a valid credential.'
}

/** Without the query, which may contain secrets. */
export const pathOf = (url: string) => url.split('?', 1)[0] as string

/** Writes straight to the socket: Fastify's reply runs hooks and serializers that are not used here. */
export function write(reply: FastifyReply, outgoing: Outgoing, replyType?: string): void {
  respond(reply.request.raw, reply.raw, answerOf(reply.request.id, outgoing, replyType))
  reply.hijack() // afterwards: Fastify handles an error of `respond`, but not of a hijacked reply
}
