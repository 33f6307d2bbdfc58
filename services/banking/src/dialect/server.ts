import type { KeyObject } from 'node:crypto'
import type { Operation } from '@icosa/contract'
import { statusOf } from '@icosa/dialects/status'
import { type DialectServer, Failure, type Incoming, Media, type WholeMedia } from '@icosa/kernel'
import { checkOwner } from '../access/owner.ts'
import { headerNames, otherPaths, withOriginalHeaders } from '../names.ts'
import { refuseForApplications } from '../oauth/may.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { unbuiltOperation } from '../unbuilt/unbuilt.ts'
import { InstallationCaller, SessionCaller, sandboxVisitor } from './caller.ts'
import { unsignedStatus } from './contract.ts'
import { inNeutral, inOriginal } from './respell.ts'
import { isSignedBy, SignableMedia, signatureOf } from './signature.ts'

/** The bank's own tokens begin so; all others are keys of the platform. */
const isKey = (token: string) => !/^(installation\.|session_)/.test(token)

type Names = readonly [neutral: string, original: string]

function header({ headers }: Pick<Incoming, 'headers'>, names: Names): string | undefined {
  const value = headers[names[0]] ?? headers[names[1]]
  return typeof value === 'string' ? value : undefined
}

const isOriginal = ({ headers }: Incoming) =>
  headers[headerNames.authentication[0]] === undefined && headers[headerNames.authentication[1]] !== undefined

const writesOriginally = ({ headers }: Incoming) =>
  Object.values(headerNames).some(
    ([neutral, original]) => headers[neutral] === undefined && headers[original] !== undefined,
  )

/** The code of the failure, and the status that the original answers it with. */
const signatureRequired = 'signatureRequired'

/** What an installation may do before it has a session. */
const beforeSession = /^\/(installation|device-server|session-server)(\/|$)/
const forVisitors = /\/sandbox-user(-person|-company)?\/?$/

/** By which a payment is made, accepted or scheduled: a token alone is not enough. */
const paying =
  /^(POST .*\/(payment|payment-batch|schedule-payment)|PUT .*\/(schedule-payment|draft-payment|request-response|schedule-instance)\/\{itemId\})$/

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
    if (runtime.sandboxTenant === undefined || !forVisitors.test(incoming.url.pathname)) return undefined
    runtime.limitAddress(incoming.ip)
    return sandboxVisitor(runtime.sandboxTenant)
  },

  check(incoming, operation, caller) {
    if (caller instanceof InstallationCaller && !beforeSession.test(operation.path))
      throw new Failure('unauthenticated', 'This needs a session: open one with POST /session-server.')
    if (caller instanceof SessionCaller && operation.path === '/session-server')
      throw new Failure('invalid', 'Authentication token already has a user session.')
    if (caller instanceof SessionCaller && caller.grant !== null) refuseForApplications(operation)
    if (caller instanceof SessionCaller || caller instanceof InstallationCaller) caller.limit(operation)
    if (caller instanceof SessionCaller && paying.test(`${operation.method} ${operation.path}`))
      refuseUnsigned(header(incoming, headerNames.clientSignature))
  },

  normalize: inNeutral,

  checkBody(incoming, caller) {
    if (!(caller instanceof InstallationCaller || caller instanceof SessionCaller)) return
    const signature = header(incoming, headerNames.clientSignature)
    if (signature !== undefined && !isSignedBy(caller.publicKey, incoming.body, signature))
      throw new Failure('invalid', 'The request signature is invalid: it is not that of this body by your key.')
  },

  enter: (params, context) => checkOwner(params, context),

  spellings: otherPaths,

  reply({ status, body: neutral, headers }, operation, incoming, runtime) {
    if (neutral instanceof Media) {
      const signature = (key: KeyObject) =>
        neutral instanceof SignableMedia ? neutral.signature(key) : signatureOf((neutral as WholeMedia).content, key)
      return { status, headers: { ...headers, ...marks(signature, incoming, runtime) }, body: neutral }
    }
    const linked = withPaths(neutral, operation, incoming)
    const body = JSON.stringify(isOriginal(incoming) ? inOriginal(linked) : linked)
    return {
      status,
      headers: { ...headers, ...marks((key) => signatureOf(body, key), incoming, runtime) },
      body: new Media('application/json', body),
    }
  },

  failure(failure, incoming) {
    const unbuilt = failure.kind === 'notFound' ? unbuiltOperation(incoming) : undefined
    const { kind, code, message: neutral } = unbuilt ?? failure
    const message = writesOriginally(incoming) ? withOriginalHeaders(neutral) : neutral
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

/** Whoever has installed a key knows ours: its answers are signed, once they are spelled as they will be sent. */
function marks(
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

/** Addresses of other pages are relative, from the version on. */
function withPaths(body: unknown, operation: Operation, { url }: Incoming): unknown {
  const { Pagination } = body as { Pagination?: Readonly<Record<string, string | null>> }
  if (!Pagination || operation.method !== 'GET') return body
  const [, path = ''] = /\/banking(?:\/v1)?(\/.*)$/.exec(url.pathname) ?? []
  const links = Object.entries(Pagination).map(([name, query]) => [name, query === null ? null : `/v1${path}${query}`])
  return { ...(body as object), Pagination: Object.fromEntries(links) }
}
