import { createServer as createHttp, type RequestListener, type Server } from 'node:http'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { Failure, type Kind } from '../errors.ts'
import type { Platform } from '../platform.ts'
import {
  type DialectServer,
  type Exchange,
  type Host,
  type Incoming,
  operationsOfService,
  type StartedService,
} from '../service.ts'
import { refusingTrickle } from './bodies.ts'
import { type EndpointOptions, endpoint, pathOf, write } from './endpoint.ts'
import { asFailure } from './failures.ts'
import { refuseAmbiguity, refuseManyFields } from './framing.ts'
import { type Gates, openGates, strangerAt } from './gates.ts'
import { type Addresses, type AddressOf, addressesFrom } from './host.ts'
import { limits } from './limits.ts'
import { onePort, type TlsKeys } from './one-port.ts'
import type { RateLimit } from './rate-limit.ts'
import { pathMatcher, segmentsOf } from './route.ts'
import { sharedRoot } from './shared-root.ts'

export interface ServerOptions extends Partial<Addresses> {
  readonly platform: Platform
  readonly services: readonly StartedService[]
  /** How many proxies stand before the node: so many of the last entries in X-Forwarded-* are believed, no more. */
  readonly trustedProxies?: number
  readonly rateLimit?: RateLimit | undefined
  readonly checkReplies?: boolean
  /** Names of services that are still to come: they answer 501 instead of 404. */
  readonly unbuilt?: readonly string[]
  /** Speak HTTPS, too, on the same port. */
  readonly tls?: TlsKeys | undefined
  /** Whether the node is about to stop: connections are then not kept alive. */
  readonly isDraining?: () => boolean
}

/** A route in the router's own spelling: an operation, a page, a health check. */
export interface ServedRoute {
  readonly method: string
  readonly url: string
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route there is. */
    readonly served: readonly ServedRoute[]
  }
}

/** Names a request in replies and logs: short, and different on every node. */
function requestIds(): () => string {
  const node = Math.floor(Math.random() * 36 ** 6).toString(36)
  let count = 0
  return () => `${node}-${count++}`
}

export function createServer(options: ServerOptions): FastifyInstance {
  const { platform, services, publicUrls = [], trustedProxies = 0, checkReplies = false, unbuilt = [], tls } = options
  const app = fastify({
    logger: false,
    trustProxy: trustedProxies > 0 && ((_, hop) => hop < trustedProxies),
    genReqId: requestIds(),
    exposeHeadRoutes: false,
    rewriteUrl: sharedRoot(services),
    bodyLimit: limits.bodyBytes,
    keepAliveTimeout: limits.keepAliveMs,
    serverFactory: (handler) => guarded(refusingTrickle(handler), tls),
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: false, maxParamLength: limits.parameterLength },
  })
  app.decorateRequest('caller', undefined)
  app.decorateRequest('startedAt', 0)
  app.decorateRequest('party', '')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      if (isForm.test(request.headers['content-type'] ?? '')) refuseManyFields(body as Buffer)
      done(null, body)
    } catch (error) {
      done(error as Error)
    }
  })

  const routes: ServedRoute[] = []
  app.decorate('served', routes)
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url })
  })
  const { addressOf, refuseForeign } = addressesFrom({ publicUrls, hostnames: options.hostnames })
  const gates = openGates(options.rateLimit)
  // Before all others, on every route there is: operations, pages, health, and what is not found.
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now()
    request.party = strangerAt(request.ip)
    if (options.isDraining?.()) reply.raw.shouldKeepAlive = false
    refuseAmbiguity(request.raw)
    refuseManyFields(request.url)
    refuseForeign(request)
    done()
  })
  const incoming = (request: FastifyRequest): Incoming => new Arrived(request, addressOf)
  const observers = services.flatMap(({ observe, held }) => observe?.(platform, held) ?? [])
  for (const service of services) {
    const { routes, held } = service
    const exchangeOf: Host['exchangeOf'] = (request, response): Exchange => ({
      platform,
      held,
      request: request.raw,
      response,
      body: incoming(request).body,
      url: incoming(request).url,
    })
    const exchange = (request: FastifyRequest, reply: FastifyReply) => exchangeOf(request, reply.raw)
    const endpointOptions: EndpointOptions = { platform, gates, incoming, exchange, observers, checkReplies }
    app.register(async (scope) => mount(scope, service, endpointOptions), { prefix: `/${service.name}` })
    if (!routes) continue
    app.register(async (scope) => {
      gatePages(scope, gates)
      await scope.register(routes({ platform, held, exchangeOf, admit: gates.admit }))
    })
  }

  const names = services.map(({ name }) => name)
  app.get('/', async () => ({ services: names.map((name) => ({ name, url: `/${name}` })) }))
  app.setNotFoundHandler((request, reply) => {
    const name = request.url.split(/[/?]/, 2)[1] ?? ''
    if (unbuilt.includes(name)) return reply.code(501).send({ error: `The service ${name} is not built yet.` })
    return reply.code(404).send({ error: `Nothing is at ${shortened(request.url)}. GET / lists the services.` })
  })
  app.setErrorHandler((error, _, reply) => {
    const { kind, message, retryAfterSeconds } = asFailure(error)
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
    reply.code(plainStatus[kind] ?? 400).send({ error: message })
  })
  return app
}

/** Of errors outside any dialect. */
const plainStatus: Partial<Record<Kind, number>> = {
  forbidden: 403,
  notFound: 404,
  tooLarge: 413,
  rateLimited: 429,
  internal: 500,
  unavailable: 503,
}

const isForm = /^application\/x-www-form-urlencoded/i

const http = {
  maxHeaderSize: limits.headerBytes,
  headersTimeout: limits.headersMs,
  requestTimeout: 0, // bodies have a rate to keep instead: a large upload may take its time
  connectionsCheckingInterval: 2_000,
}

function guarded(handler: RequestListener, tls: TlsKeys | undefined): Server {
  const server = tls ? onePort(handler, http, tls) : createHttp(http, handler)
  server.maxConnections = limits.connections
  return server
}

/** Routes beside the operations get their turn and their memory as operations do. */
function gatePages(scope: FastifyInstance, gates: Gates): void {
  scope.addHook('onRequest', (request, reply, done) => {
    gates.reserveBody(request.raw, reply.raw, request.party)
    done()
  })
  scope.addHook('preHandler', (request, reply, done) => {
    const answered = () => new Promise<void>((resolve) => reply.raw.once('close', resolve))
    gates
      .run(request.party, () => {
        done()
        return answered()
      })
      .catch(done)
  })
}

function mount(scope: FastifyInstance, service: StartedService, options: EndpointOptions): void {
  const { dialect, name } = service
  const operations = operationsOfService(service).flatMap((served) =>
    spelled(served.operation.path, dialect.spellings).map((path) => ({ served, path })),
  )
  for (const { served, path } of operations) scope.route(endpoint(served, options, path))
  scope.setErrorHandler((error, request, reply) => {
    const failure = asFailure(error)
    if (failure.kind === 'internal')
      options.platform.log.error(
        { err: failure.cause ?? failure, requestId: request.id, path: pathOf(request.url) },
        'request failed',
      )
    const outgoing = dialect.failure(failure, options.incoming(request))
    request.routeOptions.config.measure?.(request, outgoing)
    const { retryAfterSeconds } = failure
    const retry = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
    return write(reply, { ...outgoing, headers: { ...retry, ...outgoing.headers } })
  })
  const matchers = operations.map(({ served, path }) => ({
    method: served.operation.method,
    matches: pathMatcher(`/${name}${path}`),
  }))
  scope.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url)
    const segments = segmentsOf(path)
    const methods = new Set(matchers.flatMap(({ method, matches }) => (matches(segments) ? method : [])))
    const allow = methods.has(request.method as never) ? '' : [...methods].join(', ')
    const hint = allow && `; this path takes ${allow}`
    const message = `${request.method} ${shortened(path)} is not an operation of ${name}${hint}.`
    const outgoing = dialect.failure(
      new Failure(allow ? 'wrongMethod' : 'notFound', message),
      options.incoming(request),
    )
    write(reply, { ...outgoing, headers: { ...(allow && { allow }), ...outgoing.headers } })
  })
}

/** Enough of an address to know it again. */
const shortened = (path: string) => (path.length > 200 ? `${path.slice(0, 200)}...` : path)

/** A path in all the ways in which callers may write it. */
function spelled(path: string, spellings: DialectServer['spellings'] = {}): string[] {
  const [found] = Object.entries(spellings).filter(([word]) => path.includes(word))
  return found ? [path, ...found[1].map((other) => path.replace(found[0], other))] : [path]
}

/** A request as a dialect sees it. The address is worked out only for those who look at it. */
class Arrived implements Incoming {
  readonly #request: FastifyRequest
  readonly #addressOf: AddressOf

  constructor(request: FastifyRequest, addressOf: AddressOf) {
    this.#request = request
    this.#addressOf = addressOf
  }

  get id() {
    return this.#request.id
  }

  get method() {
    return this.#request.method
  }

  get target() {
    return this.#request.originalUrl
  }

  get rawHeaders() {
    return this.#request.raw.rawHeaders
  }

  get body() {
    return this.#request.body instanceof Uint8Array ? this.#request.body : undefined
  }

  get headers() {
    return this.#request.headers
  }

  get url() {
    return this.#addressOf(this.#request)
  }
}
