import { decodeToken, encodeToken, implement, notFound, ok, type ReadingDb, readPage } from '@icosa/kernel'
import { auditKeyPurpose } from '../audit/audit.ts'
import { verifyAudit } from '../audit/verify.ts'
import { queueFigures } from '../metrics/store.ts'
import { limitsOf, listTenants, type TenantSummary, tenantsAfter, usageOf } from '../tenants/store.ts'
import { type AuditChain, operatorContract as contract, type Key, type Queue } from './contract.ts'
import type { OperatorRuntime } from './runtime.ts'
import * as store from './store.ts'

const pageSize = 50
const at = 'query/pageToken'
const dayMs = 86_400_000
/** Records that expire within the hour may already be deleted. */
const pruningMs = 2 * 3_600_000

async function toTenants(db: ReadingDb, rows: readonly TenantSummary[]) {
  const names = rows.map(({ tenant }) => tenant)
  const deleted = await store.deletedAmong(db, names)
  return rows.map(({ createdAt, ...row }) => ({
    ...row,
    state: deleted.has(row.tenant) ? ('Deleting' as const) : ('Active' as const),
    createdAt: createdAt.toISOString(),
  }))
}

const toLimits = async (db: ReadingDb, tenant: string) =>
  (await limitsOf(db, tenant)).map(({ used, ...limit }) => ({ ...limit, ...(used !== null && { used }) }))

export const operatorHandlers = implement<typeof contract, OperatorRuntime>(contract, {
  async listTenants({ query: { pageToken } }, { db }) {
    const page = await readPage<TenantSummary>(
      { limit: pageSize, token: pageToken, query: ['tenants'], at },
      ({ tenant }) => [tenant],
      ([after = ''] = [], limit) => tenantsAfter(db, String(after), limit),
    )
    return ok({ tenants: await toTenants(db, page.items), ...tokenOf(page) })
  },

  async getTenant({ params: { tenant } }, { db }) {
    const [summary] = await toTenants(db, await listTenants(db, tenant))
    const [limits, usage] = [await toLimits(db, tenant), await usageOf(db, tenant)]
    return ok({ ...(summary ?? notFound('tenant', tenant)), limits, usage })
  },

  async listLimits({ params: { tenant } }, { db }) {
    return ok({ limits: await toLimits(db, tenant) })
  },

  async listKeys({ query: { tenant, pageToken } }, { db, clock }) {
    const page = await readPage<Key>(
      { limit: pageSize, token: pageToken, query: ['keys', tenant], at },
      (key) => [key.tenant, key.id],
      ([afterTenant = '', afterId = ''] = [], limit) =>
        store.keysAfter(db, tenant, [String(afterTenant), String(afterId)], clock.now(), limit),
    )
    return ok({ keys: page.items, ...tokenOf(page) })
  },

  async listAuditChains({ query: { pageToken } }, { db }) {
    const page = await readPage<AuditChain>(
      { limit: pageSize, token: pageToken, query: ['chains'], at },
      ({ chain }) => [store.tenantOfChain(chain)],
      ([after] = [], limit) => store.chainsAfter(db, after === undefined ? undefined : String(after), limit),
    )
    return ok({ chains: page.items, ...tokenOf(page) })
  },

  async verifyAuditChain({ params: { chain } }, { clock, runtime: { database, cellVault, auditDays } }) {
    const keptSince = new Date(clock.now().getTime() - auditDays * dayMs + pruningMs)
    const keys = cellVault.everDerived(auditKeyPurpose)
    const [verified] = await verifyAudit(database, { keys, keptSince, tenant: store.tenantOfChain(chain) })
    const { rows, problems } = verified ?? notFound('audit chain', chain)
    return ok({
      chain,
      state: problems.length === 0 ? 'intact' : 'broken',
      records: rows,
      problems: problems.map(({ number, what }) => ({ number, problem: what })),
    })
  },

  async listAuditRecords({ params: { chain }, query }, { db }) {
    const { records, ...next } = await recordPage(db, store.tenantOfChain(chain), query)
    const isOwn = chain === store.platformChain
    return ok({
      records: records.map(({ resource, ...record }) => (isOwn && resource ? { ...record, resource } : record)),
      ...next,
    })
  },

  async listNodes(_, { db }) {
    return ok({ nodes: await store.nodes(db) })
  },

  async listCells(_, { runtime }) {
    return ok({ cells: [...(await runtime.directory.cells())] })
  },

  async listMoves(_, { runtime }) {
    return ok({ moves: [...(await runtime.directory.moves())] })
  },

  async listQueues(_, { db }) {
    const byLane = Map.groupBy(await queueFigures(db), ({ queue, lane }) => `${queue} ${lane}`)
    const queues = [...byLane.values()].map((figures): Queue => {
      const [{ queue: service, lane } = { queue: '', lane: '' }] = figures
      const of = (state: string) => figures.find((one) => one.state === state)
      return {
        ...{ queue: `${service} ${lane}`, service, lane },
        ...{ waiting: of('waiting')?.jobs ?? 0, running: of('running')?.jobs ?? 0, failed: of('dead')?.jobs ?? 0 },
        oldestSeconds: Math.max(0, of('waiting')?.oldestSeconds ?? 0),
      }
    })
    return ok({ queues })
  },
})

/** A page of the records of a chain, newest first. */
export async function recordPage(
  db: ReadingDb,
  tenant: string,
  { pageToken, ...filter }: store.RecordFilter & { readonly pageToken?: string },
) {
  const query = ['records', tenant, filter]
  const [number = Number.MAX_SAFE_INTEGER] = pageToken === undefined ? [] : decodeToken(pageToken, query, at)
  const { records, searchedTo } = await store.recordsBefore(db, tenant, filter, Number(number), pageSize)
  return { records: [...records], ...(searchedTo !== undefined && { nextPageToken: encodeToken([searchedTo], query) }) }
}

const tokenOf = ({ next }: { readonly next?: string | undefined }) => next !== undefined && { nextPageToken: next }
