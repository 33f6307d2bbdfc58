import type { Database } from '@icosa/kernel'
import { decodeToken, encodeToken, implement, notFound, ok, readPage, type Vault } from '@icosa/kernel'
import { auditKeyPurpose } from '../audit/audit.ts'
import { verifyAudit } from '../audit/verify.ts'
import { queueFigures } from '../metrics/store.ts'
import { limitsOf, listTenants, type TenantSummary, tenantsAfter, usageOf } from '../tenants/store.ts'
import { type AuditChain, operatorContract as contract, type Key, type Queue } from './contract.ts'
import * as store from './store.ts'

export interface OperatorRuntime {
  readonly database: Database
  readonly vault: Vault
  /** Age at which records of the audit log are deleted. */
  readonly auditDays: number
}

const pageSize = 50
const at = 'query/pageToken'
const dayMs = 86_400_000
/** Records that expire within the hour may already be deleted. */
const pruningMs = 2 * 3_600_000

const toTenant = ({ createdAt, ...row }: TenantSummary) => ({ ...row, createdAt: createdAt.toISOString() })

export const operatorHandlers = implement<typeof contract, OperatorRuntime>(contract, {
  async listTenants({ query: { pageToken } }, { db }) {
    const page = await readPage<TenantSummary>(
      { limit: pageSize, token: pageToken, query: ['tenants'], at },
      ({ tenant }) => [tenant],
      ([after = ''] = [], limit) => tenantsAfter(db, String(after), limit),
    )
    return ok({ tenants: page.items.map(toTenant), ...tokenOf(page) })
  },

  async getTenant({ params: { tenant } }, { db }) {
    const [summary] = await listTenants(db, tenant)
    const limits = await limitsOf(db, tenant)
    return ok({
      ...toTenant(summary ?? notFound('tenant', tenant)),
      limits: limits.map(({ used, ...limit }) => ({ ...limit, ...(used !== null && { used }) })),
      usage: await usageOf(db, tenant),
    })
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

  async verifyAuditChain({ params: { chain } }, { clock, runtime: { database, vault, auditDays } }) {
    const keptSince = new Date(clock.now().getTime() - auditDays * dayMs + pruningMs)
    const keys = vault.everDerived(auditKeyPurpose)
    const [verified] = await verifyAudit(database, { keys, keptSince, tenant: store.tenantOfChain(chain) })
    const { rows, problems } = verified ?? notFound('audit chain', chain)
    return ok({
      chain,
      state: problems.length === 0 ? 'intact' : 'broken',
      records: rows,
      problems: problems.map(({ number, what }) => ({ number, problem: what })),
    })
  },

  async listAuditRecords({ params: { chain }, query: { pageToken, ...filter } }, { db }) {
    const query = ['records', chain, filter]
    const [number = Number.MAX_SAFE_INTEGER] = pageToken === undefined ? [] : decodeToken(pageToken, query, at)
    const { records, searchedTo } = await store.recordsBefore(db, chain, filter, Number(number), pageSize)
    const next = searchedTo !== undefined && { nextPageToken: encodeToken([searchedTo], query) }
    return ok({ records: [...records], ...next })
  },

  async listNodes(_, { db }) {
    return ok({ nodes: await store.nodes(db) })
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

const tokenOf = ({ next }: { readonly next?: string | undefined }) => next !== undefined && { nextPageToken: next }
