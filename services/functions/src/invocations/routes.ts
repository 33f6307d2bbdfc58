import { METHODS } from 'node:http'
import { bearerCaller } from '@icosa/dialects/bearer'
import { statusOf } from '@icosa/dialects/status'
import { type Caller, Failure, notFound, type RouteHost } from '@icosa/kernel'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { labelOf } from '../functions/address.ts'
import { callRoot, type UrlOf } from '../functions/url.ts'
import { serviceName } from '../names.ts'
import { demandInvoker, isPublic } from '../policies/access.ts'
import { isLogged } from '../policies/audit.ts'
import type { Revision } from '../revision.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { newInvocationId } from './id.ts'
import { type Target, targetsOf } from './targets.ts'

interface Admitted {
  readonly revision: Revision
  /** Undefined for public functions. */
  readonly caller: Caller | undefined
}

/** Root and address, with the host of a request in absolute form. */
const ownSegments = /^(?:https?:\/\/[^/?]*)?(?:\/[^/?]*){3}/i

/**
 * Routes of functions: any method and path below their address. Bodies stream both ways.
 * `urlOf` is set if functions have their own hosts.
 */
export const invocationRoutes = (urlOf?: UrlOf) => (host: RouteHost<ServiceRuntime>) => routesOn(host, urlOf)

function routesOn(
  { platform, runtime, exchangeOf }: RouteHost<ServiceRuntime>,
  urlOf: UrlOf | undefined,
): FastifyPluginAsync {
  const targets = targetsOf(platform)
  const operation = `${serviceName}:invokeFunction`
  const metrics = platform.metrics.operation(serviceName, 'invokeFunction')

  async function invoke(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { address: segment = '' } = request.params as { readonly address?: string }
    const address = labelOf(segment)
    const isSandboxed = request.raw.subdomain === undefined
    const path = isSandboxed ? pathOf(request) : request.originalUrl
    // Clients do not repeat a token on another host, so calls with one are served here.
    if (isSandboxed && urlOf && isLabel.test(address) && request.headers.authorization === undefined)
      return void (await reply.redirect(urlOf(address) + path, 307))
    const target = (await targets.get(address)) ?? notFound('function', address)
    const { tenant } = target
    const { revision, caller } = await admit(request, reply, target)
    runtime.countCall(target.tenant) // unauthorized calls do not count
    const instances = await runtime.instances()
    const id = newInvocationId()
    const trace = platform.traces.begin('request', request.headers)
    reply.hijack()
    reply.raw.setHeader('function-execution-id', id)
    reply.raw.once('close', () => {
      const status = reply.raw.statusCode
      const durationMs = performance.now() - request.startedAt
      metrics.add(status, durationMs)
      const { id: requestId, startedAt } = request
      if (isLogged(target.policy, 'DATA_WRITE', caller?.id ?? ''))
        platform.recordAccess({
          ...{ tenant, caller: caller?.id ?? '', address: request.ip, service: serviceName },
          ...{ operation: 'invokeFunction', resource: target.name, status, requestId },
        })
      platform.log.request({ id: requestId, operation, tenant, status, durationMs, traceId: trace.traceId })
      if (trace.isRecorded)
        platform.traces.end(trace, {
          name: operation,
          startedAt,
          attributes: { 'faas.invocation_id': id, 'http.response.status_code': status, 'icosa.tenant': tenant },
          hasFailed: status >= 500,
        })
      runtime.logs.addInvocation({ revision, id, status, durationMs, method: request.method, path })
    })
    // Tokens of the platform are not forwarded; a public function may have its own.
    const hidden = isPublic(target.invokers) ? [] : ['authorization']
    if (isSandboxed) hidden.push('cookie') // the platform's own
    const { within, carried } = platform.traces
    const { traceparent, tracestate } = within(trace, () => carried(false)) ?? {}
    const call = { path, id, hidden, isSandboxed, trace: { traceparent, tracestate } }
    await instances.serve(revision, request.raw, reply.raw, call).catch((error) => {
      platform.log.error({ err: error, requestId: request.id }, 'function call')
      if (reply.raw.headersSent) reply.raw.destroy()
      else reply.raw.writeHead(502, { connection: 'close' }).end() // Fastify does not reply after hijack
    })
  }

  /** Authorizes a call; refusals name the missing permission. */
  async function admit(request: FastifyRequest, reply: FastifyReply, target: Target): Promise<Admitted> {
    const { tenant, invokers, revision, serving } = target
    const caller = isPublic(invokers) ? undefined : await bearerCaller(request, platform.credentials)
    demandInvoker(invokers, tenant, caller)
    if (serving?.ingressSettings === 'ALLOW_INTERNAL_ONLY')
      throw new Failure('forbidden', 'This function only accepts events (ingressSettings ALLOW_INTERNAL_ONLY).')
    // With the proxies that the platform trusts, as many hops are known.
    if (serving?.ingressSettings === 'ALLOW_INTERNAL_AND_GCLB' && (request.ips?.length ?? 0) < 2)
      throw new Failure(
        'forbidden',
        'This function only accepts events and requests through the load balancer (ingressSettings ALLOW_INTERNAL_AND_GCLB).',
      )
    if (serving?.securityLevel === 'SECURE_ALWAYS' && exchangeOf(request, reply.raw).url.protocol !== 'https:')
      throw new Failure('forbidden', 'This function can only be called over https (securityLevel SECURE_ALWAYS).')
    if (!revision) throw new Failure('unavailable', 'No revision of this function is ready yet: see its stateMessages.')
    return { revision, caller }
  }

  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_, body, done) => done(null, body))
    app.setErrorHandler((error, request, reply) => {
      if (!(error instanceof Failure)) throw error
      const status = statusOf[error.kind]
      metrics.add(status, performance.now() - request.startedAt)
      if (status === 401) reply.header('www-authenticate', 'Bearer')
      if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds)
      return reply.code(status).type('text/plain; charset=utf-8').send(`${error.message}\n`)
    })
    const config = { isRelayed: true }
    // Node passes no CONNECT to request handlers.
    for (const method of METHODS.filter((name) => name !== 'CONNECT'))
      if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true })
    app.all(`${callRoot}:address`, { config }, invoke)
    app.all(`${callRoot}:address/*`, { config }, invoke)
  }
}

const isLabel = /^[a-z0-9-]{1,63}$/

/** Path below the address of the function. */
function pathOf({ raw }: FastifyRequest): string {
  // By segments, not by length: any character of them may be percent-encoded.
  const rest = (raw.url ?? '').replace(ownSegments, '')
  return rest.startsWith('/') ? rest : `/${rest}`
}
