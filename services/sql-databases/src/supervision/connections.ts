import type { JobContext } from '@icosa/kernel'
import { type DatabaseRow, installation } from '../databases/store.ts'
import { budgetOf } from '../host/budget.ts'
import type { SqlHost } from '../host/host.ts'
import { connectionsByRole, endNewestSessions, endOverstaying } from '../host/sessions-store.ts'
import { capacity } from '../host/store.ts'
import { poolOf } from '../pools/limits.ts'
import { poolKeyOf } from '../pools/space.ts'
import type { SqlSettings } from '../settings.ts'
import { forEach } from './each.ts'
import * as store from './store.ts'

/** Databases that share a number of connections: those of a tenant, or of an elastic pool. */
interface Group {
  readonly name: string
  readonly roles: readonly string[]
  readonly limit: number
}

/** Terminates sessions that last too long or are in a foreign database, and the newest ones beyond the limits. */
export async function limitConnections(host: SqlHost, context: JobContext, settings: SqlSettings): Promise<void> {
  const { prefix } = await installation(context.db)
  const { counts, budget } = await host.briefly([], async (admin) => {
    await endOverstaying(admin, prefix, settings)
    return { counts: await connectionsByRole(admin, prefix), budget: budgetOf(await capacity(admin), settings) }
  })
  const members = await store.findByPhysicalNames(context.db, [...counts.keys()])
  const groups: Group[] = [
    ...grouped(
      members,
      ({ tenant }) => tenant,
      () => budget,
    ),
    ...grouped(members, poolKeyOf, (member) => poolOf(member)?.connections ?? budget),
  ]
  const isOver = ({ roles, limit }: Group) => roles.reduce((sum, role) => sum + (counts.get(role) ?? 0), 0) > limit
  await forEach(
    context,
    groups.filter(isOver),
    ({ name }) => name,
    ({ roles, limit }) => host.briefly([], (admin) => endNewestSessions(admin, roles, limit)),
  )
}

function grouped(
  members: readonly DatabaseRow[],
  keyOf: (member: DatabaseRow) => string | undefined,
  limitOf: (member: DatabaseRow) => number,
): Group[] {
  const groups = Map.groupBy(
    members.filter((member) => keyOf(member) !== undefined),
    keyOf,
  )
  return [...groups].map(([name, databases]) => ({
    name: String(name),
    roles: databases.map(({ physical }) => physical),
    limit: Math.min(...databases.map(limitOf)),
  }))
}
