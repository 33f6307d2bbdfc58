import type { Schema } from '@icosa/contract'
import { type DialectServer, type Incoming, type Kind, Media } from '@icosa/kernel'
import { bearerCaller } from '../bearer.ts'
import { statusOf } from '../status.ts'
import { type Arm, managerVersions } from './contract.ts'
import { resourceGroups, subscriptions } from './manager/handlers.ts'
import { statuses } from './operations.ts'
import { pollHeaders } from './polling.ts'
import { respelling } from './spelling.ts'
import { checkSubscription, enterSubscription } from './subscriptions.ts'
import { checkVersion } from './versions.ts'

export interface ArmOptions {
  /** The namespace in the original vendor's spelling. */
  readonly original: string
  /** Supported versions, the specified one first. */
  readonly versions: readonly [string, ...string[]]
  /** Schema of long-running operations' results, if any. */
  readonly result?: Schema
  /** Refuses other versions instead of warning. */
  readonly strict?: boolean
}

export function armServer(api: Arm<string>, options: ArmOptions): DialectServer {
  const { namespace } = api
  const { original, versions, result, strict = false } = options
  const marker = `/providers/${original}/`.toLowerCase()
  const isOriginal = ({ url }: Incoming) => url.pathname.toLowerCase().includes(marker)
  const isBelow = atRoot([namespace, original])
  const respelled = respelling(namespace, original)
  const versionsOf = (path: string): ArmOptions['versions'] =>
    path.includes('/providers/') ? versions : managerVersions

  return {
    authentication: { kind: 'bearer' },
    // Tokens of other issuers may lack the tenant.
    tenantSources: [{ in: 'path', pattern: '/subscriptions/([^/]+)', gives: 'subscription' }],
    authenticate: bearerCaller,
    spellings: { [namespace]: [original] },
    locate: ({ target }) => (isBelow(target) ? target : undefined),
    resources: {
      OperationStatuses: statuses(api, result),
      ResourceGroups: resourceGroups(api),
      Subscriptions: subscriptions(api),
    },

    unsupported: ({ url }) => typeIn(url.pathname, [namespace, original]),

    strict: () => armServer(api, { ...options, strict: true }),

    check({ url }, { path }) {
      checkVersion(url.searchParams.get('api-version'), versionsOf(path), strict)
    },

    async checkScope({ subscriptionId }, context, platform) {
      if (subscriptionId !== undefined) await checkSubscription({ id: subscriptionId }, context, platform)
    },

    async enter({ subscriptionId }, context, operation, platform) {
      if (subscriptionId === undefined) return
      const isCreating = operation.method === 'PUT'
      await enterSubscription({ id: subscriptionId, isCreating }, context, operation, platform)
    },

    reply({ status, body, headers, operation, next }, { replies, path }, incoming) {
      const { url } = incoming
      const spelling = isOriginal(incoming) ? original : namespace
      const supported = versionsOf(path)
      const version = url.searchParams.get('api-version') ?? supported[0]
      const all: Record<string, string> = { ...headers }
      if (!supported.includes(version)) all.warning = `299 - "api-version ${version} is answered as ${supported[0]}"`
      if (operation) Object.assign(all, pollHeaders(incoming, spelling, operation.id, version))
      const schema = replies[status]
      const spelled = spelling === namespace || !schema || body instanceof Media ? body : respelled(schema, body)
      // The link keeps the caller's URL and spelling.
      return {
        status,
        headers: all,
        body: next === undefined ? spelled : { ...Object(spelled), nextLink: nextLink(url, next) },
      }
    },

    failure({ kind, code, message, details }) {
      const status = statusOf[kind]
      const lines = details.map(({ at, message: detail }) => ({ code: codes[kind], message: detail, target: at }))
      return {
        status,
        headers: status === 401 ? { 'www-authenticate': 'Bearer' } : {},
        body: { error: { code: code ?? codes[kind], message, ...(lines.length > 0 && { details: lines }) } },
      }
    },
  }
}

/**
 * Matches paths without the service's prefix. Command lines and provisioning tools know one resource manager for all
 * providers: there the provider's namespace names the service. Subscriptions and resource groups are the same in all.
 */
function atRoot(namespaces: readonly string[]): (target: string) => boolean {
  const names = namespaces.map((name) => name.replaceAll('.', '\\.')).join('|')
  const scope = '/subscriptions/[^/?]+(?:/resourceGroups/[^/?]+)?'
  const shared = '/subscriptions(?:/[^/?]+(?:/resourceGroups(?:/[^/?]+)?)?)?/?(?:\\?|$)'
  const pattern = new RegExp(`^(?:(?:${scope})?/providers/(?:${names})/|${shared})`, 'i')
  return (target) => pattern.test(target)
}

/** Resource type in a path below one of these namespaces, as `Vendor.Sql/servers/firewallRules`. */
function typeIn(path: string, namespaces: readonly string[]): string | undefined {
  const segments = path.split('/')
  const at = segments.findLastIndex((segment) =>
    namespaces.some((name) => name.toLowerCase() === segment.toLowerCase()),
  )
  if (at < 1 || segments[at - 1]?.toLowerCase() !== 'providers' || !segments[at + 1]) return undefined
  return [segments[at], ...segments.slice(at + 1).filter((_, index) => index % 2 === 0)].join('/')
}

const codes: Readonly<Record<Kind, string>> = {
  invalid: 'InvalidRequestContent',
  unauthenticated: 'InvalidAuthenticationToken',
  forbidden: 'AuthorizationFailed',
  notFound: 'ResourceNotFound',
  wrongMethod: 'MethodNotAllowed',
  alreadyExists: 'Conflict',
  conflict: 'Conflict',
  preconditionFailed: 'PreconditionFailed',
  tooLarge: 'RequestEntityTooLarge',
  lengthRequired: 'LengthRequired',
  unsupportedMediaType: 'UnsupportedMediaType',
  misdirected: 'MisdirectedRequest',
  rateLimited: 'TooManyRequests',
  limitReached: 'QuotaExceeded',
  notImplemented: 'NotImplemented',
  unavailable: 'ServiceUnavailable',
  internal: 'InternalServerError',
}

/** URL of the next page. */
function nextLink(url: URL, token: string): string {
  const next = new URL(url)
  next.searchParams.delete('$skip')
  next.searchParams.set('$skipToken', token)
  return next.href.replace(/([?&])%24/g, '$1$') // clients look for an unencoded `$top` and would add it again
}
