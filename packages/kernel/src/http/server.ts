import { createServer as createHttp, type RequestListener, type Server } from 'node:http'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { Failure, type Kind } from '../errors.ts'
import { operationsOfService } from '../operations.ts'
import { type Platform, platformOf } from '../platform.ts'
import type { Exchange, RouteHost, StartedService } from '../service.ts'
import { dropSlowBodies } from './body/slow-bodies.ts'
import { type Addresses, addressesFrom } from './connection/addresses.ts'
import { refuseAmbiguity, refuseManyFields } from './connection/framing.ts'
import { onePort, type TlsKeys } from './connection/one-port.ts'
import { type EndpointOptions, pathOf, write } from './endpoint.ts'
import { addressKey, type Gates, openGates } from './gates.ts'
import { IncomingRequest } from './incoming-request.ts'
import { limits } from './limits.ts'
import type { RateLimit } from './rate-limit.ts'
import { asFailure, failureHeaders } from './reply/failures.ts'
import { departures, type TagIn } from './residence.ts'
import { isBelow, type Lost, mount, prefixOf, shortened } from './route/mount.ts'
import { segmentsOf } from './route/route.ts'
import { sharedRoot } from './route/shared-root.ts'
import { subdomainRouting } from './route/subdomains.ts'
import { withoutTag } from './route/tenant-source.ts'

export interface ServerOptions extends Partial<Addresses> {
  readonly platform: Platform
  readonly services: readonly StartedService[]
  /** Number of proxies in front of the node: as many trailing entries of X-Forwarded-* are trusted. */
  readonly trustedProxies?: number
  readonly rateLimit?: RateLimit | undefined
  readonly checkReplies?: boolean
  /** Names of planned services: they return 501 instead of 404. */
  readonly unbuilt?: readonly string[]
  /** Serves HTTPS on the same port as well. */
  readonly tls?: TlsKeys | undefined
  /** Replaces the list of services at the root. */
  readonly front?: ((host: FrontHost) => void) | undefined
  /** Finds tenants that have moved to another cell in requests that it would refuse. */
  readonly tagIn?: TagIn | undefined
  /** Whether the node is shutting down: connections are then not kept alive. */
  readonly isDraining?: () => boolean
}

export interface FrontHost {
  readonly app: FastifyInstance
  /** Returns the node's URL as its caller sees it. */
  urlOf(request: FastifyRequest): string
  /** Replaces the reply for paths that neither a service nor the root serves. */
  onNotFound(handler: NotFound): void
}

export type NotFound = (request: FastifyRequest, reply: FastifyReply, error: string) => unknown

/** A route in the router's syntax: an operation, a page, a health check. */
export interface ServedRoute {
  readonly method: string
  readonly url: string
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly served: readonly ServedRoute[]
  }
}

/** Returns a generator of request IDs: short, and different on every node. */
function requestIds(): () => string {
  const node = Math.floor(Math.random() * 36 ** 6).toString(36)
  let count = 0
  return () => `${node}-${count++}`
}

/** Routes have no Fastify schemas, so its compilers need not be loaded. */
const noCompilers = { buildValidator: () => noCompiler, buildSerializer: () => noCompiler }

function noCompiler(): never {
  throw new Error('A route has its own schema: it belongs in the contract.')
}

export function createServer(options: ServerOptions): FastifyInstance {
  const { platform, services, publicUrls = [], trustedProxies = 0, checkReplies = false, unbuilt = [], tls } = options
  const toSubdomain = subdomainRouting(services, { publicUrls, trustedProxies })
  const toRoot = sharedRoot(services)
  const app = fastify({
    logger: false,
    trustProxy: trustedProxies > 0 && ((_, hop) => hop < trustedProxies),
    genReqId: requestIds(),
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: noCompilers },
    rewriteUrl: (request) =>
      toSubdomain(request) ?? toRoot({ url: withoutTag(request.url ?? '/'), headers: request.headers }),
    bodyLimit: limits.bodyBytes,
    keepAliveTimeout: limits.keepAliveMs,
    serverFactory: (handler) => guarded(dropSlowBodies(handler), tls),
    forceCloseConnections: 'idle',
    frameworkErrors: (_, request, reply) => refuseTarget(request, reply),
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: false, maxParamLength: limits.parameterLength },
  })
  prepareRequests(app)
  const routes: ServedRoute[] = []
  app.decorate('served', routes)
  app.addHook('onRoute', ({ method, url }) => {
    for (const verb of [method].flat()) routes.push({ method: verb, url })
  })
  const { addressOf, refuseForeign, refuseCrossOrigin } = addressesFrom({ publicUrls, hostnames: options.hostnames })
  const admissions = services.flatMap(({ admit, runtime }) => admit?.(platform, runtime) ?? [])
  const gates = openGates(options.rateLimit, admissions)
  // Before all other hooks, on every route: operations, pages, health checks, not found.
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now()
    request.fairnessKey = addressKey(request.ip)
    if (options.isDraining?.()) reply.raw.shouldKeepAlive = false
    refuseAmbiguity(request.raw)
    refuseManyFields(request.url)
    refuseForeign(request)
    done()
  })
  const incoming: EndpointOptions['incoming'] = (request, paramsOf) => new IncomingRequest(request, addressOf, paramsOf)
  /** For paths that the router cannot parse: an overlong parameter, or invalid percent-encoding. */
  function refuseTarget(request: FastifyRequest, reply: FastifyReply): void {
    const failure = new Failure('invalid', 'The path cannot be parsed: a part is too long or not percent-encoded.')
    const [, name] = request.url.split('/', 2)
    const dialect = services.find((service) => service.name === name)?.apis[0].dialect
    write(reply, dialect?.failure(failure, incoming(request)) ?? { status: 400, body: { error: failure.message } })
  }
  // One not-found handler for all: Fastify's, one per API, would add forty routes each.
  const notFound: { readonly prefix: string; readonly answer: Lost }[] = []
  const failureOf = departures(platform.database.fence, options.tagIn)
  const observers = services.flatMap(({ observe, runtime }) => observe?.(platform, runtime) ?? [])
  for (const service of services) {
    const { routes, runtime } = service
    const own = platformOf(platform, service.name)
    const exchangeOf: RouteHost['exchangeOf'] = (request, response): Exchange => ({
      platform: own,
      runtime,
      request: request.raw,
      response,
      body: incoming(request).body,
      url: incoming(request).url,
    })
    const exchange = (request: FastifyRequest, reply: FastifyReply) => exchangeOf(request, reply.raw)
    const endpointOptions: EndpointOptions = {
      ...{ platform, gates, incoming, departures: failureOf, refuseCrossOrigin, exchange, observers, checkReplies },
    }
    const all = operationsOfService(service)
    for (const api of service.apis) {
      const operations = all.filter((served) => served.api === api)
      const prefix = prefixOf(service, api)
      const mounted = async (scope: FastifyInstance) =>
        void notFound.push({ prefix, answer: mount(scope, api, operations, endpointOptions) })
      app.register(mounted, { prefix })
    }
    if (!routes) continue
    app.register(async (scope) => {
      gatePages(scope, gates)
      await scope.register(routes({ platform: own, runtime, exchangeOf }))
    })
  }

  const listed: ServerOptions['front'] = ({ app: root }) => {
    root.get('/', async () => ({ services: services.map(({ name }) => ({ name, url: `/${name}` })) }))
  }
  let answerNotFound: NotFound = (_, reply, error) => reply.code(404).send({ error })
  app.register(async (scope) => {
    gatePages(scope, gates)
    const { front = listed } = options
    front({
      app: scope,
      urlOf: (request) => incoming(request).url.origin,
      onNotFound: (handler) => {
        answerNotFound = handler
      },
    })
  })
  app.setNotFoundHandler((request, reply) => {
    const path = segmentsOf(pathOf(request.url))
    const near = notFound.filter(({ prefix }) => isBelow(prefix, path))
    if (near.length > 0)
      return near.reduce((a, b) => (b.prefix.length > a.prefix.length ? b : a)).answer(request, reply)
    const name = request.url.split(/[/?]/, 2)[1] ?? ''
    if (unbuilt.includes(name)) return reply.code(501).send({ error: `The service ${name} is not supported yet.` })
    return answerNotFound(request, reply, `There is nothing at ${shortened(request.url)}. GET / lists the services.`)
  })
  app.setErrorHandler(async (error, request, reply) => {
    const failure = await failureOf(request, asFailure(error))
    const { kind, message } = failure
    return reply
      .code(plainStatus[kind] ?? 400)
      .headers(failureHeaders(failure))
      .send({ error: message })
  })
  return app
}

/** Declares the fields of requests, and leaves bodies unparsed: contracts decide how to read them. */
function prepareRequests(app: FastifyInstance): void {
  app.decorateRequest('caller', undefined)
  app.decorateRequest('startedAt', 0)
  app.decorateRequest('incoming', undefined)
  app.decorateRequest('trace', undefined)
  app.decorateRequest('fairnessKey', '')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      if (isForm.test(request.headers['content-type'] ?? '')) refuseManyFields(body as Buffer)
      done(null, body)
    } catch (error) {
      done(error as Error)
    }
  })
}

/** Status of errors outside any dialect. */
const plainStatus: Partial<Record<Kind, number>> = {
  forbidden: 403,
  notFound: 404,
  lengthRequired: 411,
  tooLarge: 413,
  misdirected: 421,
  unsupportedMediaType: 415,
  rateLimited: 429,
  limitReached: 403,
  internal: 500,
  unavailable: 503,
}

const isForm = /^application\/x-www-form-urlencoded/i

const http = {
  maxHeaderSize: limits.headerBytes,
  headersTimeout: limits.headersMs,
  requestTimeout: 0, // instead, bodies must keep a minimum rate: a large upload may take long
  connectionsCheckingInterval: 2_000,
}

function guarded(handler: RequestListener, tls: TlsKeys | undefined): Server {
  const server = tls ? onePort(handler, http, tls) : createHttp(http, handler)
  server.maxConnections = limits.connections
  return server
}

/** Plan of a proxied body. */
const relayed = { maxBytes: Number.MAX_SAFE_INTEGER, heldBytes: limits.streamBytes }

/** Applies concurrency and memory limits to routes besides the operations. */
function gatePages(scope: FastifyInstance, gates: Gates): void {
  scope.addHook('onRequest', (request, reply, done) => {
    const { isRelayed } = request.routeOptions.config
    gates.reserveBody(request.raw, reply.raw, request.fairnessKey, isRelayed ? relayed : undefined)
    done()
  })
  scope.addHook('preHandler', (request, reply, done) => {
    if (request.routeOptions.config.isRelayed) return done()
    const answered = () => new Promise<void>((resolve) => reply.raw.once('close', resolve))
    gates
      .run(request.fairnessKey, () => {
        done()
        return answered()
      })
      .catch(done)
  })
}
