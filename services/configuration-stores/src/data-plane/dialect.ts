import { type Operation, writes } from '@icosa/contract'
import { type DialectServer, Failure, type Incoming } from '@icosa/kernel'
import { neutralSpelling, originalSpelling, type Spelling } from '../names.ts'
import { endpointsOf } from '../private-links/endpoints.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { ConfigurationStoresSettings } from '../settings.ts'
import { authenticate, StoreCaller } from './authentication/authenticate.ts'
import { checkContent } from './authentication/signature.ts'
import { at } from './contract.ts'
import { byHost, tenantSources } from './host.ts'
import { problemOf } from './problems.ts'
import { syncToken } from './sync-token.ts'

const noBody = new Uint8Array()
const noChange = syncToken('0')

/** Dialect of the data plane. */
export function storeDialect(settings: ConfigurationStoresSettings): DialectServer<ServiceRuntime> {
  const locate = byHost(settings)
  const endpoints = endpointsOf(settings)
  return {
    authentication: { kind: 'bearer' },
    tenantSources: tenantSources(settings),
    authenticate,
    ...(locate && { locate }),

    check({ ip }, operation, caller) {
      if (!(caller instanceof StoreCaller)) return
      const { publicNetworkAccess, endpoints: approved } = caller.store
      if (!publicNetworkAccess && !approved.some((id) => endpoints.includes(id, ip)))
        throw new Failure(
          'forbidden',
          'The store is closed to the public network (publicNetworkAccess): use an approved private endpoint.',
        )
      if (caller.isReadOnly && writes(operation))
        throw new Failure('forbidden', 'The access key is read-only: sign with a read-write key.')
    },

    checkBody({ body = noBody }, caller) {
      if (caller instanceof StoreCaller && caller.contentHash !== undefined) checkContent(caller.contentHash, body)
    },

    reply({ status, body, headers = {}, next, operation: started }, operation, incoming) {
      const nextPage = next === undefined ? undefined : nextLink(incoming.url, operation.path.slice(at.length), next)
      const links = nextPage ? [`<${nextPage}>; rel="next"`, headers.link].filter(Boolean).join(', ') : headers.link
      return {
        status,
        headers: {
          'sync-token': noChange,
          ...headers,
          ...(links && { link: links }),
          ...(started && { 'operation-location': operationLocation(incoming.url, started.id) }),
        },
        body: nextPage && body !== undefined ? { ...Object(body), '@nextLink': nextPage } : body,
        mediaType: mediaTypeOf(operation, spellingOf(incoming)),
      }
    },

    failure: (failure, incoming) => problemOf(failure, spellingOf(incoming)),
  }
}

const mediaTypeOf = ({ replyType }: Operation, { media }: Spelling) =>
  replyType?.startsWith(neutralSpelling.media) ? media + replyType.slice(neutralSpelling.media.length) : replyType

/** Original clients ask for the original spelling, or for none. */
const spellingOf = ({ headers }: Incoming): Spelling =>
  String(headers.accept ?? '').includes(neutralSpelling.media) ? neutralSpelling : originalSpelling

/** Relative to the store's address, as clients expect; `after` comes last, since some read it only there. */
function nextLink(url: URL, path: string, token: string): string {
  const others = [...url.searchParams].filter(([name]) => !/^(after|api-version)$/i.test(name))
  const rest = others.length > 0 ? `&${new URLSearchParams(others)}` : ''
  return `${path}?api-version=${versionOf(url)}${rest}&after=${encodeURIComponent(token)}`
}

/** URL of a snapshot's progress. */
const operationLocation = (url: URL, snapshot: string) =>
  new URL(`../operations?snapshot=${encodeURIComponent(snapshot)}&api-version=${versionOf(url)}`, url).href

const versionOf = ({ searchParams }: URL) =>
  encodeURIComponent([...searchParams].find(([name]) => name.toLowerCase() === 'api-version')?.[1] ?? '')
