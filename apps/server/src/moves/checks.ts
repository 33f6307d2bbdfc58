import type { MoveCells } from './cell.ts'
import * as store from './check-store.ts'
import { lackingKeys } from './keys.ts'
import { serviceObstacles } from './outside.ts'
import { movedTables } from './tables.ts'

type Ends = Pick<MoveCells, 'source' | 'target'>

/** What keeps a tenant from moving, each with what to do about it. Changes nothing. */
export async function blockers({ source, target, services, carryKeys }: MoveCells, tenant: string): Promise<string[]> {
  const [own, other] = [source.database, target.database]
  if (!(await store.knowsTenant(own, tenant))) return [`There is no tenant '${tenant}' in ${source.name}.`]
  const schema = await differentMigrations({ source, target })
  if (schema.length > 0) return schema
  const tables = await movedTables(own, tenant)
  const [state, filled, names, things, numbers, keys] = await Promise.all([
    store.stateIn(own, tenant),
    store.filledTables(other, tables),
    store.namesTaken(own, other, tenant),
    serviceObstacles({ source, target, services }, tenant),
    store.numbersTaken(own, other, tables),
    carryKeys ? undefined : lackingKeys(own, other),
  ])
  return [
    ...(state === 'active' ? [] : [`In ${source.name} the tenant is ${state}.`]),
    ...(filled.length > 0 ? [`${target.name} already has rows of the tenant: ${filled.slice(0, 5).join(', ')}.`] : []),
    ...names.map(
      ({ purpose, name }) => `The ${purpose} '${name}' belongs to another tenant of ${target.name}: rename it.`,
    ),
    ...things,
    ...numbers.map(
      (column) =>
        `${target.name} uses a number of the tenant in ${column}: both cells have numbers from before they were cells.`,
    ),
    ...(keys === undefined ? [] : [keys]),
    ...(await serverBlockers({ source, target })),
  ]
}

async function differentMigrations({ source, target }: Ends): Promise<string[]> {
  const [own, other] = await Promise.all([source, target].map(({ database }) => store.migrationsIn(database)))
  const lacking = (name: string, set: ReadonlySet<string> = new Set(), of: ReadonlySet<string> = new Set()) => {
    const names = [...of].filter((migration) => !set.has(migration))
    return names.length > 0
      ? [`${name} lacks ${names.slice(0, 5).join(', ')}: run \`icosa migrate\` of the newer version there.`]
      : []
  }
  return [...lacking(target.name, other, own), ...lacking(source.name, own, other)]
}

async function serverBlockers({ source, target }: Ends): Promise<string[]> {
  const facts = await Promise.all(
    [source, target].map(async (cell) => ({ cell, ...(await store.serverFacts(cell.database)) })),
  )
  const isSame = facts[0]?.identity === facts[1]?.identity
  return [
    ...(isSame ? [`${source.name} and ${target.name} have the same database.`] : []),
    ...facts.flatMap(({ cell: { name }, ...server }) => [
      ...(server.walLevel === 'logical'
        ? []
        : [`wal_level of ${name} is ${server.walLevel}: set it to logical, and restart PostgreSQL.`]),
      ...(server.slots > 0 ? [] : [`${name} has no free replication slot: raise max_replication_slots.`]),
      ...(server.senders > 0 ? [] : [`${name} has no free WAL sender: raise max_wal_senders.`]),
      ...(server.workers > 0 ? [] : [`${name} has no free replication worker: raise max_logical_replication_workers.`]),
      ...(server.isSuperuser ? [] : [`The database user of ${name} is no superuser, and cannot create subscriptions.`]),
      ...(server.keepsAnyLog
        ? [`max_slot_wal_keep_size of ${name} is -1: set a limit, or a move that stops could fill its disk.`]
        : []),
    ]),
  ]
}
