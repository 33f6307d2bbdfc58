import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../errors.ts'
import { type Database, type Db, raw, sql } from '../db.ts'
import { gateName } from './fence.ts'
import type { LeavingTenant, TenantState } from './states.ts'

/** `active`: it has no row, and lives here. */
export type State = TenantState | 'active'

/** The transitions of ADR 93. Whatever the mover does, writers were excluded before the tenant is elsewhere. */
const next: Readonly<Record<State, readonly State[]>> = {
  active: ['copying'],
  copying: ['fenced', 'active'],
  fenced: ['moved', 'active'],
  moved: ['active'],
}

const lockMs = 1_000
const pauseMs = 50
const maxAttempts = 30

/**
 * Brings a tenant into a state in this cell; may be repeated, after a crash for instance. Once it returns, no transaction
 * writes for the tenant that began in a state which allowed more.
 */
export async function setTenantState(database: Database, tenant: string, to: State, cell: string): Promise<void> {
  if (to === 'fenced') await dropOldGates(database)
  await withPatience(() => database.transaction((db) => change(db, tenant, to, cell)))
  if (to === 'copying') await dropOldGates(database)
}

async function change(db: Db, tenant: string, to: State, cell: string): Promise<void> {
  const { gate } = await db.one<{ gate: number }>(sql`select last_gate as gate from icosa.fence for update`)
  const last = await db.maybe<LeavingTenant>(
    sql`select state, cell, gate from icosa.tenant_states where id = ${tenant}`,
  )
  const from = last?.state ?? 'active'
  if (from === to) return
  if (!next[from].includes(to))
    throw new Failure('conflict', `The tenant '${tenant}' is ${from}: it cannot become ${to}.`)
  const own = to === 'copying' ? gate + 1 : null
  if (last?.gate) await dropGate(db, last.gate)
  if (own) await db.script(`create view ${gateName(own)} as select; create view ${gateName(own + 1)} as select`)
  await db.run(sql`
    update icosa.fence set version = version + 1, last_gate = ${own ? own + 1 : gate},
      gate = case when ${own !== null} then ${gate + 2} else gate end`)
  if (to === 'active') await db.run(sql`delete from icosa.tenant_states where id = ${tenant}`)
  else
    await db.run(sql`
      insert into icosa.tenant_states (id, state, cell, gate, tag)
      values (${tenant}, ${to}, ${cell}, ${own}, (select tag from icosa.tenants where id = ${tenant}))
      on conflict (id) do update set state = excluded.state, cell = excluded.cell, gate = excluded.gate,
        tag = coalesce(excluded.tag, tenant_states.tag)`)
}

/** Waits for the transactions that began before a tenant had a gate of its own. It keeps no later one waiting. */
async function dropOldGates(database: Database): Promise<void> {
  const old = await database.many<{ gate: number }>(sql`
    select substring(relname from 6)::int as gate from pg_class
    where relnamespace = 'icosa'::regnamespace and relkind = 'v' and relname ~ '^gate_[0-9]+$'
      and substring(relname from 6)::int not in (
        select gate from icosa.fence union all select gate from icosa.tenant_states where gate is not null)`)
  for (const { gate } of old) await withPatience(() => database.transaction((db) => dropGate(db, gate)))
}

/** Waits for the transactions that have locked it. */
const dropGate = async (db: Db, gate: number): Promise<void> => {
  await db.run(sql`set local lock_timeout = ${raw(String(lockMs))}`)
  await db.run(sql`drop view if exists ${raw(gateName(gate))}`)
}

const lockNotAvailable = '55P03'

/** Lets waiting writers pass between two attempts. */
async function withPatience(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: string }).code !== lockNotAvailable) throw error
      if (attempt === maxAttempts)
        throw new Failure('conflict', 'A transaction has been writing for too long: try again later.', { cause: error })
      await sleep(pauseMs)
    }
}
