import type { RequestListener, ServerResponse } from 'node:http'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { Failure } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { type DialectServer, type Exchange, type Incoming, operationsOfService, type Service } from '../service.ts'
import { type EndpointOptions, endpoint, pathOf, write } from './endpoint.ts'
import { asFailure } from './failures.ts'
import { refuseAmbiguity } from './framing.ts'
import { type RateLimit, rateLimiter } from './limits.ts'
import { onePort, type TlsKeys } from './one-port.ts'
import { caseChecker } from './route.ts'
import { sharedRoot } from './shared-root.ts'

export interface ServerOptions {
  readonly platform: Platform
  readonly services: readonly Service[]
  /** The address under which callers know us, if a proxy stands before us: `https://api.example.com`. */
  readonly publicUrl?: string | undefined
  /** Believe X-Forwarded-Proto and X-Forwarded-Host. */
  readonly trustProxy?: boolean
  readonly rateLimit?: RateLimit | undefined
  readonly checkReplies?: boolean
  /** Names of services that are still to come: they answer 501 instead of 404. */
  readonly unbuilt?: readonly string[]
  /**
   * Names under which the node may be addressed, without port; any if not given. A node on loopback answers to local
   * names only: otherwise a web page whose name was pointed here could use it through a visitor's browser.
   */
  readonly hostnames?: readonly string[] | undefined
  /** Speak HTTPS, too, on the same port. */
  readonly tls?: TlsKeys | undefined
  /** Whether the node is about to stop: connections are then not kept alive. */
  readonly isDraining?: () => boolean
}

/** Names a request in replies and logs: short, and different on every node. */
function requestIds(): () => string {
  const node = Math.floor(Math.random() * 36 ** 6).toString(36)
  let count = 0
  return () => `${node}-${count++}`
}

export function createServer(options: ServerOptions): FastifyInstance {
  const {
    platform,
    services,
    publicUrl,
    trustProxy = false,
    rateLimit,
    checkReplies = false,
    unbuilt = [],
    hostnames,
    tls,
    isDraining,
  } = options
  const app = fastify({
    logger: false,
    trustProxy,
    genReqId: requestIds(),
    exposeHeadRoutes: false,
    rewriteUrl: sharedRoot(services),
    ...(tls
      ? { serverFactory: (handler: RequestListener) => onePort(handler, httpOptions, tls) }
      : { http: httpOptions }),
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: false, maxParamLength: 2048 },
  })
  app.decorateRequest('caller', undefined)
  app.decorateRequest('startedAt', 0)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
  const incoming = (request: FastifyRequest): Incoming => new Arrived(request, publicUrl)
  const arrive = (request: FastifyRequest, reply: FastifyReply) => {
    if (isDraining?.()) reply.raw.shouldKeepAlive = false
    refuseAmbiguity(request.raw)
    if (hostnames && !hostnames.includes(request.hostname))
      throw new Failure(
        'forbidden',
        `This node does not answer to ${request.hostname}, only to ${hostnames.join(', ')}.`,
      )
  }
  const exchangeOf = (request: FastifyRequest, response: ServerResponse): Exchange => ({
    platform,
    request: request.raw,
    response,
    body: incoming(request).body,
    url: incoming(request).url,
  })
  const limit = rateLimiter(rateLimit)
  const exchange = (request: FastifyRequest, reply: FastifyReply) => exchangeOf(request, reply.raw)
  const observers = services.flatMap(({ observe }) => observe?.(platform) ?? [])
  const endpointOptions: EndpointOptions = { platform, limit, arrive, incoming, exchange, observers, checkReplies }
  for (const service of services) {
    app.register(async (scope) => mount(scope, service, endpointOptions), { prefix: `/${service.name}` })
    const { routes } = service
    if (!routes) continue
    app.register(async (scope) => {
      scope.addHook('onRequest', (request, reply, done) => {
        arrive(request, reply)
        done()
      })
      await scope.register(routes({ platform, exchangeOf }))
    })
  }

  const names = services.map(({ name }) => name)
  app.get('/', async () => ({ services: names.map((name) => ({ name, url: `/${name}` })) }))
  app.setNotFoundHandler((request, reply) => {
    const name = request.url.split(/[/?]/, 2)[1] ?? ''
    if (unbuilt.includes(name)) return reply.code(501).send({ error: `The service ${name} is not built yet.` })
    return reply.code(404).send({ error: `Nothing is at ${request.url}. GET / lists the services.` })
  })
  app.setErrorHandler((error, _, reply) => {
    const { kind, message } = asFailure(error)
    reply.code(kind === 'internal' ? 500 : 400).send({ error: message })
  })
  return app
}

const httpOptions = { maxHeaderSize: 64 * 1024 } // texts and ARNs travel in the URL

function mount(scope: FastifyInstance, service: Service, options: EndpointOptions): void {
  const { dialect, name } = service
  const operations = operationsOfService(service)
  for (const served of operations) {
    for (const path of spelled(served.operation.path, dialect.spellings)) scope.route(endpoint(served, options, path))
  }
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
  const paths = operations.map(({ operation: { method, path } }) => ({ method, fits: caseChecker(`/${name}${path}`) }))
  scope.setNotFoundHandler((request, reply) => {
    const methods = paths.filter(({ fits }) => fits(pathOf(request.url))).map(({ method }) => method)
    const kind = methods.length > 0 ? 'wrongMethod' : 'notFound'
    const hint = methods.length > 0 ? `; this path takes ${methods.join(', ')}` : ''
    const failure = new Failure(kind, `${request.method} ${pathOf(request.url)} is not an operation of ${name}${hint}.`)
    const outgoing = dialect.failure(failure, options.incoming(request))
    const allow = methods.length > 0 ? { allow: methods.join(', ') } : {}
    write(reply, { ...outgoing, headers: { ...allow, ...outgoing.headers } })
  })
}

/** A path in all the ways in which callers may write it. */
function spelled(path: string, spellings: DialectServer['spellings'] = {}): string[] {
  const [found] = Object.entries(spellings).filter(([word]) => path.includes(word))
  return found ? [path, ...found[1].map((other) => path.replace(found[0], other))] : [path]
}

/** A request as a dialect sees it. The address is worked out only for those who look at it. */
class Arrived implements Incoming {
  readonly #request: FastifyRequest
  readonly #publicUrl: string | undefined

  constructor(request: FastifyRequest, publicUrl: string | undefined) {
    this.#request = request
    this.#publicUrl = publicUrl
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
    const { protocol, host, url } = this.#request
    return new URL(`${this.#publicUrl?.replace(/\/$/, '') ?? `${protocol}://${host}`}${url}`)
  }
}
