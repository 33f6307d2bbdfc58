import sql, { type Sql } from 'sql-template-tag'
import { Failure, Outage } from '../../errors.ts'
import type { ReadingDb } from '../db.ts'

/** State of a tenant that does not simply live here: ADR 93. */
export type TenantState = 'copying' | 'fenced' | 'moved'

export interface LeavingTenant {
  readonly state: TenantState
  /** Where it goes, or lives. */
  readonly cell: string
  /** Number of its own gate, while it is copied. */
  readonly gate: number | null
  /** Its tag, if it has lived here. */
  readonly tag: string | null
}

/** The tenant lives in another cell. */
export class Misdirected extends Failure {
  readonly cell: string

  constructor(cell: string, message = `This tenant lives in the cell '${cell}': send the request there.`) {
    super('misdirected', message)
    this.cell = cell
  }
}

/** The tenant is about to leave: writes wait, and fail if that takes long. */
export class TenantFenced extends Outage {
  constructor() {
    super('This tenant is moving to another cell: try again in a moment.')
  }
}

/** Whether the tenant of a transaction moves, or has moved, to another cell. */
export const isLeaving = (error: unknown): boolean => error instanceof Misdirected || error instanceof TenantFenced

/** What a node knows of its cell's tenants. */
export interface Snapshot {
  readonly version: string
  /** Number of the gate of all tenants without one of their own. */
  readonly gate: number
  readonly leaving: ReadonlyMap<string, LeavingTenant>
  /** Cells of tenants that live elsewhere, by tag. */
  readonly departed: ReadonlyMap<string, string>
}

interface Row {
  readonly version: string
  readonly gate: number
  readonly leaving: readonly (LeavingTenant & { readonly id: string })[] | null
}

/** Reads what has changed since `last`, which is returned if nothing has. */
export async function readSnapshot(db: ReadingDb, last: Snapshot | undefined): Promise<Snapshot> {
  const { version, gate, leaving } = await db.one<Row>(sql`
    select version::text, gate, case when version is distinct from ${last?.version ?? null}::bigint then
      (select coalesce(jsonb_agg(to_jsonb(t)), '[]') from icosa.tenant_states as t) end as leaving
    from icosa.fence`)
  if (last && leaving === null) return last
  const tenants = leaving ?? []
  const departed = tenants.flatMap(({ state, tag, cell }) => (state === 'moved' && tag ? [[tag, cell] as const] : []))
  return {
    ...{ version, gate },
    leaving: new Map(tenants.map(({ id, ...tenant }) => [id, tenant])),
    departed: new Map(departed),
  }
}

/** Whether the jobs and timers of a tenant must not start here. */
export const isClosed = (tenant: Sql): Sql => sql`
  exists (select from icosa.tenant_states as t where t.id = ${tenant} and t.state in ('fenced', 'moved'))`
