import { type Dialect, fillPath } from '@icosa/contract'
import {
  type DialectServer,
  type Failure,
  type Incoming,
  implement,
  notFound,
  type OperationStatus,
  ok,
  type Resource,
  type TenantSource,
} from '@icosa/kernel'
import { bearerCaller } from '../bearer.ts'
import { statusOf } from '../status.ts'
import { keyedOperations } from './contract.ts'

export interface KeyedOptions {
  readonly name: string
  /** Headers that may carry the key: neutral spelling first, then the original. */
  readonly headers: readonly [neutral: string, ...others: string[]]
  /** Query parameter that may carry the key instead. Logs contain paths without their query. */
  readonly parameter?: string
  /** Error body, if not the default one. */
  readonly failure?: (failure: Failure, status: number) => unknown
  /** Converts a reply to the caller's spelling, if a service has two spellings of its fields. */
  readonly respell?: (body: unknown, incoming: Incoming) => unknown
  /** Dialect of a service with long-running operations. */
  readonly operations?: Dialect
  /** Path at which SDKs expect the API, such as `/face/v1.0`, in addition to the service's own. */
  readonly root?: string
}

export function keyedServer(options: KeyedOptions): DialectServer {
  const { name, headers, parameter, failure = defaultError, respell = (body) => body, operations, root } = options
  const names = headers.map((header) => header.toLowerCase())

  return {
    authentication: { kind: 'key', header: headers[0] },
    tenantSources: [
      ...names.map((header): TenantSource => ({ in: 'header', name: header, gives: 'credential' })),
      ...(parameter === undefined ? [] : [{ in: 'query', name: parameter, gives: 'credential' } as const]),
      { in: 'header', name: 'authorization', gives: 'credential' },
    ],
    ...(operations && { resources: { operations: statuses(operations) } }),
    ...(root !== undefined && rooted(root)),

    authenticate({ headers: received, url }, credentials) {
      for (const header of names) {
        const key = received[header]
        if (typeof key === 'string') return credentials.byKey(key)
      }
      const key = parameter === undefined ? null : url.searchParams.get(parameter)
      return key === null ? bearerCaller({ headers: received }, credentials) : credentials.byKey(key)
    },

    reply({ status, body: neutral, headers: own, operation }, _, incoming) {
      const body = respell(neutral, incoming)
      if (!operation) return { status, body, headers: own }
      const location = `${rootOf(incoming, name, root)}${fillPath(operationPath, { operationId: operation.id })}`
      return { status, body, headers: { 'operation-location': location, 'retry-after': '1', ...own } }
    },

    failure: (error) => ({ status: statusOf[error.kind], body: failure(error, statusOf[error.kind]) }),
  }
}

function defaultError({ message, code, details }: Failure, status: number) {
  const lines = details.map(({ at, message: detail }) => `${at} ${detail}`)
  return { error: { code: code ?? status, message, ...(lines.length > 0 && { details: lines }) } }
}

const operationPath = '/operations/{operationId}'

/** URL of the API as the caller wrote it. */
function rootOf({ url }: Incoming, name: string, root?: string): string {
  const base = root !== undefined && url.pathname.includes(`${root}/`) ? root : `/${name}`
  return `${url.origin}${url.pathname.slice(0, url.pathname.indexOf(`${base}/`))}${base}`
}

const rooted = (root: string): Pick<DialectServer, 'locate' | 'spellings'> => ({
  locate: ({ target }) => (target.startsWith(`${root}/`) ? target.slice(root.length) : undefined),
  spellings: { '/': [`${root}/`] },
})

const statusNames: Readonly<Record<OperationStatus, 'notstarted' | 'running' | 'succeeded' | 'failed'>> = {
  pending: 'notstarted',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'failed',
}

function statuses(dialect: Dialect): Resource {
  return implement(keyedOperations(dialect), {
    async getOperation({ params }, { operations }) {
      const state = (await operations.find(params.operationId)) ?? notFound('operation', params.operationId)
      const { status, progress, resource, error } = state
      const body = {
        status: statusNames[status],
        createdTime: state.createdAt.toISOString(),
        lastActionTime: state.updatedAt.toISOString(),
        ...(progress !== null && { percentComplete: progress * 100 }),
        ...(resource !== null && { resourceLocation: resource }),
        ...(status === 'cancelled' ? { message: 'Cancelled.' } : error && { message: error.message }),
      }
      const pending = status === 'pending' || status === 'running'
      return ok(body, pending ? { headers: { 'retry-after': '1' } } : {})
    },
  })
}
