import { randomBytes } from 'node:crypto'
import { resourceId } from '@icosa/dialects/arm/ids'
import { type Conditions, created, demandConditions, Failure, implement, invalid, noContent, ok } from '@icosa/kernel'
import { parseFilter } from '../filter/parser.ts'
import type { DiagnosticAddress } from './address.ts'
import { api, diagnostics as contract, type Diagnostic } from './contract.ts'
import { settingsOf, updated } from './settings.ts'
import * as store from './store.ts'

const defaultPageSize = 100
const maxPageSize = 1000

export const diagnostics = implement(contract, {
  async list({ params, query }, { db, caller }) {
    const address = params
    const { items, next } = await store.list(db, caller.tenant, address, {
      limit: Math.min(query.$top ?? defaultPageSize, maxPageSize),
      filter: parseFilter(query.$filter ?? ''),
      skip: query.$skip,
      token: query.$skipToken,
    })
    return ok({ value: items.map(toDiagnostic) }, { next })
  },

  async getEntityTag({ params }, { db, caller }) {
    const { etag } = (await store.find(db, caller.tenant, params)) ?? missing(params)
    return ok(undefined, { headers: { etag } })
  },

  async get({ params }, { db, caller }) {
    const row = (await store.find(db, caller.tenant, params)) ?? missing(params)
    return ok(toDiagnostic(row), { headers: { etag: row.etag } })
  },

  async createOrUpdate({ params, headers, body }, { db, caller, clock }) {
    const { 'if-match': ifMatch = '*' } = headers
    if (ifMatch !== '*') demandConditions(headers, (await store.lock(db, caller.tenant, params))?.etag)
    const change = { settings: settingsOf(body.properties), etag: newEtag(), now: clock.now() }
    const row = await store.put(db, caller.tenant, params, change)
    const tag = { etag: row.etag }
    return row.created ? created(toDiagnostic(row), tag) : ok(toDiagnostic(row), { headers: tag })
  },

  async update({ params, query, headers, body }, { db, caller, clock }) {
    const address = params
    const current = (await store.lock(db, caller.tenant, address)) ?? missing(params)
    demandIfMatch(headers, current)
    const settings = updated(current.settings, body.properties ?? {})
    const change = { settings, etag: newEtag(), now: clock.now() }
    const row = (await store.replace(db, caller.tenant, address, change)) ?? missing(params)
    const tag = { etag: row.etag }
    return returnsEntity(query['api-version'])
      ? ok(toDiagnostic(row), { headers: tag })
      : { ...noContent(), headers: tag }
  },

  async delete({ params, headers }, { db, caller }) {
    const address = params
    const current = await store.lock(db, caller.tenant, address)
    if (!current) return noContent()
    demandIfMatch(headers, current)
    await store.remove(db, caller.tenant, address)
    return ok(undefined)
  },
})

/** Strong and unique, even across deletion and re-creation under the same name. */
const newEtag = () => `"${randomBytes(12).toString('base64url')}"`

/** For operations that require optimistic concurrency. */
function demandIfMatch(conditions: Conditions, { etag }: store.Row): void {
  if (conditions['if-match'] === undefined)
    invalid([{ at: 'headers/if-match', message: 'is required: send the ETag from GET or HEAD, or * for any' }])
  demandConditions(conditions, etag)
}

/** Up to 2019-12-01, previews included, PATCH has no response body. */
const returnsEntity = (version: string) => version.slice(0, 10) > '2019-12-01'

function missing({ diagnosticId, serviceName }: DiagnosticAddress): never {
  throw new Failure('notFound', `The service '${serviceName}' has no diagnostic '${diagnosticId}': create it with PUT.`)
}

function toDiagnostic({ settings, ...address }: store.Row): Diagnostic {
  const { serviceName, diagnosticId } = address
  return {
    id: resourceId(address, api.namespace, 'service', serviceName, 'diagnostics', diagnosticId),
    name: diagnosticId,
    type: `${api.namespace}/service/diagnostics`,
    properties: settings,
  }
}
