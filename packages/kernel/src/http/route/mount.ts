import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DialectServer } from '../../dialect.ts'
import { Failure, isStorageFull, NoOperation } from '../../errors.ts'
import type { ServiceOperation } from '../../operations.ts'
import type { Platform } from '../../platform.ts'
import type { Api, StartedService } from '../../service.ts'
import { type EndpointOptions, endpoint, methodsOf, pathOf, write } from '../endpoint.ts'
import { asFailure, failureHeaders } from '../reply/failures.ts'
import { type PathMatcher, pathMatcher, segmentsOf, toRoute } from './route.ts'

/** Path prefix of an API, in the router's syntax. */
export const prefixOf = ({ name }: StartedService, { at = '' }: Api) => toRoute(`/${name}${at}`).url

/** Answers, in the API's dialect, requests that match none of its operations. */
export type Lost = (request: FastifyRequest, reply: FastifyReply) => void

export function mount(
  scope: FastifyInstance,
  { dialect }: Api,
  served: readonly ServiceOperation<StartedService>[],
  options: EndpointOptions,
): Lost {
  const operations = served.flatMap((entry) =>
    spelled(entry.operation.path, dialect.spellings).map((path) => ({ entry, path: `/${entry.service.name}${path}` })),
  )
  const ownHeads = new Set(operations.filter(({ entry }) => entry.operation.method === 'HEAD').map(({ path }) => path))
  const routes = operations.map(({ entry, path }) => {
    const route = endpoint(entry, options, path)
    const method = methodsOf(entry.operation, ownHeads.has(path))
    return { ...route, method, url: route.url.slice(scope.prefix.length) }
  })
  for (const route of routes.filter(({ config }) => !config?.isRaw)) scope.route(route)
  const raw = routes.filter(({ config }) => config?.isRaw)
  if (raw.length > 0)
    scope.register(async (own) => {
      own.removeAllContentTypeParsers()
      own.addContentTypeParser('*', (_, body, done) => done(null, body))
      for (const route of raw) own.route(route)
    })
  scope.setErrorHandler((error, request, reply) => {
    const failure = options.departures(request, asFailure(error))
    return failure instanceof Promise
      ? failure.then((each) => refuse(request, reply, each))
      : refuse(request, reply, failure)
  })
  function refuse(request: FastifyRequest, reply: FastifyReply, failure: Failure): void {
    if (failure.kind === 'internal' || isStorageFull(failure.cause)) logFailure(options.platform, request, failure)
    const refusal = dialect.failure(failure, options.incoming(request))
    const outgoing = { ...refusal, headers: { ...failureHeaders(failure), ...refusal.headers } }
    request.routeOptions.config.measure?.(request, outgoing)
    write(reply, outgoing)
  }
  let matchers: readonly { readonly methods: readonly string[]; readonly matches: PathMatcher }[] | undefined
  return (request, reply) => {
    const path = pathOf(request.url)
    const segments = segmentsOf(path)
    // Built on first use: it takes a while for a thousand operations.
    matchers ??= operations.map(({ entry, path: own }) => ({
      methods: methodsOf(entry.operation),
      matches: pathMatcher(own),
    }))
    const methods = new Set(matchers.flatMap(({ methods, matches }) => (matches(segments) ? methods : [])))
    const allow = methods.has(request.method as never) ? '' : [...methods].join(', ')
    const hint = allow && `; this path accepts ${allow}`
    const message = `${request.method} ${shortened(pathOf(request.originalUrl))} is not an operation${hint}.`
    const incoming = options.incoming(request)
    const unsupported = allow ? undefined : dialect.unsupported?.(incoming)
    const failure =
      unsupported === undefined
        ? new NoOperation(allow ? 'wrongMethod' : 'notFound', message)
        : new Failure('notImplemented', `${shortened(unsupported)} is not supported.`)
    const outgoing = dialect.failure(failure, incoming)
    write(reply, { ...outgoing, headers: { ...(allow && { allow }), ...outgoing.headers } })
  }
}

/** Logs within the request's trace, which then has the error. */
function logFailure({ log, traces }: Platform, request: FastifyRequest, failure: Failure): void {
  const fields = { err: failure.cause ?? failure, requestId: request.id, path: pathOf(request.url) }
  const write = () => log.error(fields, 'request failed')
  if (request.trace) traces.within(request.trace, write)
  else write()
}

/** Whether a path is below an API's, in the router's syntax. */
export function isBelow(prefix: string, path: readonly string[]): boolean {
  return prefix
    .split('/')
    .every((part, at) => (part.startsWith(':') ? path[at] : path[at]?.toLowerCase() === part.toLowerCase()))
}

/** Truncates a path for messages. */
export const shortened = (path: string) => (path.length > 200 ? `${path.slice(0, 200)}...` : path)

/** Returns a path in all accepted spellings. */
function spelled(path: string, spellings: DialectServer['spellings'] = {}): string[] {
  if (typeof spellings === 'function') return [path, ...spellings(path)]
  const [spelling] = Object.entries(spellings).filter(([word]) => path.includes(word))
  return spelling ? [path, ...spelling[1].map((other) => path.replace(spelling[0], other))] : [path]
}
