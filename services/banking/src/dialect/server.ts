import type { KeyObject } from 'node:crypto'
import type { Operation } from '@icosa/contract'
import { statusOf } from '@icosa/dialects/status'
import { type DialectServer, Failure, type Incoming, Media, type WholeMedia } from '@icosa/kernel'
import { checkOwner } from '../access/owner.ts'
import { headerNames, otherPaths, withOriginalHeaders } from '../names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { unbuiltOperation } from '../unbuilt/unbuilt.ts'
import { InstallationCaller, SessionCaller, sandboxVisitor } from './caller.ts'
import { unsignedStatus } from './contract.ts'
import { inNeutral, inOriginal } from './respell.ts'
import { isSignedBy, SignableMedia, signatureOf } from './signature.ts'

/** Tokens without a prefix of the bank are platform keys. */
const isKey = (token: string) => !/^(installation\.|session_)/.test(token)

type Names = readonly [neutral: string, original: string]

function header({ headers }: Pick<Incoming, 'headers'>, names: Names): string | undefined {
  const value = headers[names[0]] ?? headers[names[1]]
  return typeof value === 'string' ? value : undefined
}

const isOriginal = ({ headers }: Incoming) =>
  headers[headerNames.authentication[0]] === undefined && headers[headerNames.authentication[1]] !== undefined

const usesOriginalHeaders = ({ headers }: Incoming) =>
  Object.values(headerNames).some(
    ([neutral, original]) => headers[neutral] === undefined && headers[original] !== undefined,
  )

/** The failure code that maps to `unsignedStatus`. */
const signatureRequired = 'signatureRequired'

/** Paths that an installation may call without a session. */
const beforeSession = /^\/(installation|device-server|session-server)(\/|$)/
const sandboxUserPath = /\/sandbox-user(-person|-company)?\/?$/

/** Operations that make, accept or schedule a payment, or let another user make one, and so require a signature. */
const paymentOperations =
  /^(POST .*\/(payment|payment-batch|schedule-payment|schedule-payment-batch|payment-auto-allocate|share-invite-monetary-account-inquiry)|PUT .*\/(schedule-payment|schedule-payment-batch|payment-auto-allocate|draft-payment|request-response|schedule-instance|share-invite-monetary-account-(inquiry|response))\/\{itemId\})$/

function refuseUnsigned(signature: string | undefined): void {
  if (signature === undefined)
    throw new Failure('invalid', 'The request signature is missing: sign the body with the key of the installation.', {
      code: signatureRequired,
    })
}

export const bankDialect: DialectServer<ServiceRuntime> = {
  authentication: { kind: 'key', header: 'X-Vendor-Client-Authentication' },

  authenticate(incoming, credentials, runtime) {
    const token = header(incoming, headerNames.authentication)
    if (token !== undefined)
      return isKey(token) ? credentials.byKey(token) : runtime.callers.byToken(token, incoming.ip)
    if (runtime.sandboxTenant === undefined || !sandboxUserPath.test(incoming.url.pathname)) return undefined
    runtime.limitAddress(incoming.ip)
    return sandboxVisitor(runtime.sandboxTenant)
  },

  check(incoming, operation, caller) {
    if (caller instanceof InstallationCaller && !beforeSession.test(operation.path))
      throw new Failure('unauthenticated', 'This requires a session: open one with POST /session-server.')
    if (caller instanceof SessionCaller && operation.path === '/session-server')
      throw new Failure('invalid', 'Authentication token already has a user session.')
    if (caller instanceof SessionCaller && caller.grant !== null) refuseForApplications(operation)
    if (caller instanceof SessionCaller || caller instanceof InstallationCaller) caller.limit(operation)
    if (caller instanceof SessionCaller && paymentOperations.test(`${operation.method} ${operation.path}`))
      refuseUnsigned(header(incoming, headerNames.clientSignature))
  },

  normalize: inNeutral,

  checkBody(incoming, caller) {
    if (!(caller instanceof InstallationCaller || caller instanceof SessionCaller)) return
    const signature = header(incoming, headerNames.clientSignature)
    if (signature !== undefined && !isSignedBy(caller.publicKey, incoming.body, signature))
      throw new Failure('invalid', 'The request signature is invalid: it does not match the body and your key.')
  },

  enter: (params, context, operation) => checkOwner(params, context, operation),

  spellings: otherPaths,

  reply({ status, body: neutral, headers }, operation, incoming, runtime) {
    if (neutral instanceof Media) {
      const signature = (key: KeyObject) =>
        neutral instanceof SignableMedia ? neutral.signature(key) : signatureOf((neutral as WholeMedia).content, key)
      return { status, headers: { ...headers, ...replyHeaders(signature, incoming, runtime) }, body: neutral }
    }
    const linked = withPaths(neutral, operation, incoming)
    const body = JSON.stringify(isOriginal(incoming) ? inOriginal(linked) : linked)
    return {
      status,
      headers: { ...headers, ...replyHeaders((key) => signatureOf(body, key), incoming, runtime) },
      body: new Media('application/json', body),
    }
  },

  failure(failure, incoming) {
    const unbuilt = failure.kind === 'notFound' ? unbuiltOperation(incoming) : undefined
    const { kind, code, message: neutral } = unbuilt ?? failure
    const message = usesOriginalHeaders(incoming) ? withOriginalHeaders(neutral) : neutral
    const line = { error_description: message, error_description_translated: message }
    const status = code === signatureRequired ? unsignedStatus : statusOf[kind]
    return { status, headers: ids(incoming), body: { Error: [line] } }
  },
}

const ids = (incoming: Incoming) => ({
  ...bothNames(headerNames.responseId, incoming.id),
  ...bothNames(headerNames.requestId, header(incoming, headerNames.requestId)),
})

const bothNames = ([neutral, original]: Names, value: string | undefined): Record<string, string> =>
  value === undefined ? {} : { [neutral]: value, [original]: value }

/** Responses to installed clients are signed, over the body as sent. */
function replyHeaders(
  signature: (key: KeyObject) => string,
  incoming: Incoming,
  { serverKey }: ServiceRuntime,
): Record<string, string> {
  const token = header(incoming, headerNames.authentication)
  const isInstalled = token !== undefined && !isKey(token)
  return {
    ...ids(incoming),
    ...(isInstalled && bothNames(headerNames.serverSignature, signature(serverKey.privateKey))),
  }
}

/** Page links are relative and start with the version. */
function withPaths(body: unknown, operation: Operation, { url }: Incoming): unknown {
  const { Pagination } = body as { Pagination?: Readonly<Record<string, string | null>> }
  if (!Pagination || operation.method !== 'GET') return body
  const [, path = ''] = /\/banking(?:\/v1)?(\/.*)$/.exec(url.pathname) ?? []
  const links = Object.entries(Pagination).map(([name, query]) => [name, query === null ? null : `/v1${path}${query}`])
  return { ...(body as object), Pagination: Object.fromEntries(links) }
}

/** Writes that an application may do: none that moves money without the user. */
const writes = new RegExp(
  '^(POST /user/.*/(draft-payment|request-inquiry|customer-statement|attachment|note-text|note-attachment)' +
    '|POST /user/.*/notification-filter-url|POST /(attachment-public|avatar)|DELETE /session/\\{itemId\\})$',
)
/** Contains the secrets of the user's own applications and cards, and where the user's devices are. */
const secret = /\/(oauth-client|generated-cvc2|credential-password-ip)(\/|$)/

function refuseForApplications({ method, path }: Operation): void {
  if (secret.test(path) || (method !== 'GET' && !writes.test(`${method} ${path}`)))
    throw new Failure(
      'forbidden',
      'An application may not do this for a user. It may read, request money, and create draft payments.',
    )
}
