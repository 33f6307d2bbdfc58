import type { Operation } from '@icosa/contract'
import type { Clock, ObservedExchange, ObservedMessage } from '@icosa/kernel'
import type { WatchedMessage, WatchedRequest } from './contract.ts'
import { decodedName, maskBody } from './mask.ts'
import { isSecretName, masked, secretsIn, withoutSecrets } from './secrets.ts'

const maxPathLength = 1_000
const maxFields = 50
const maxNameLength = 100
const maxValueLength = 300

/** An answered request as its tenant may see it: without secrets, and of limited size. */
export function watchedRequest(exchange: ObservedExchange, service: string, clock: Clock): WatchedRequest {
  const { requestId, operation, contract, method, path, query, status, durationMs, traceId, caller } = exchange
  const secrets = secretsIn(contract)
  return {
    id: requestId,
    at: new Date(clock.now().getTime() - durationMs).toISOString(),
    service,
    operation,
    method,
    path: withoutSecrets(path).slice(0, maxPathLength),
    query: watchedQuery(query, contract, secrets),
    status,
    ms: Math.round(durationMs * 1_000) / 1_000,
    ...(traceId !== undefined && { traceId }),
    caller,
    request: watchedMessage(exchange.request, secrets),
    response: watchedMessage(exchange.response, secrets),
  }
}

function watchedMessage({ headers, body }: ObservedMessage, secrets: ReadonlySet<string>): WatchedMessage {
  const bytes = body === undefined ? 0 : typeof body === 'string' ? Buffer.byteLength(body) : body.length
  const isReadable = bytes > 0 && headers['content-encoding'] === undefined
  const shown = isReadable ? maskBody(body ?? '', headers['content-type'], secrets) : undefined
  return {
    headers: limited(Object.entries(headers).map(([name, value]) => [name, headerValue(name, value)])),
    bytes,
    ...(shown && { body: shown.text }),
    ...(shown?.isTruncated && { truncated: true }),
  }
}

function headerValue(name: string, value: ObservedMessage['headers'][string]): string {
  if (isSecretName(name)) return masked
  const text = String(value)
  return withoutSecrets(isUrlHeader.test(name) ? (text.split('?', 1)[0] ?? '') : text)
}

/** Their queries may contain the secrets of other sites. */
const isUrlHeader = /^(referer|location|operation-location|azure-asyncoperation)$/i

/** Only parameters of the contract are shown: any other may be a key or a signature. */
function watchedQuery(query: string, contract: Operation, secrets: ReadonlySet<string>): Record<string, string> {
  if (query === '') return {}
  const { query: own, dialect } = contract
  const isDeclared = new Set(
    [own, dialect.query].flatMap((schema) => Object.keys((schema as { properties?: object })?.properties ?? {})),
  )
  const fields = query.split('&', maxFields).map((field): [string, string] => {
    const [name = '', ...value] = field.split('=')
    const plain = decodedName(name)
    const declared = isDeclared.has(plain) || (dialect.queryCase === 'ignored' && isDeclared.has(plain.toLowerCase()))
    const isName = declared || (value.length > 0 && parameterName.test(plain))
    return [
      isName ? plain : masked,
      declared && !isSecretName(plain) && !secrets.has(plain) ? withoutSecrets(decodedName(value.join('='))) : masked,
    ]
  })
  return limited(fields)
}

/** Anything else may be a secret itself, as in `?{key}`. */
const parameterName = /^[\w$.[\]-]{1,40}$/

const limited = (fields: readonly [string, string][]) =>
  Object.fromEntries(
    fields
      .slice(0, maxFields)
      .map(([name, value]) => [name.slice(0, maxNameLength), value.slice(0, maxValueLength).toWellFormed()]),
  )
