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

/** Those who share a number of connections: a tenant, or the members of an elastic pool. */
interface Group {
  readonly name: string
  readonly roles: readonly string[]
  readonly limit: number
}

/** Ends sessions that last too long or are where they do not belong, and the newest of those that are too many. */
export async function limitConnections(host: SqlHost, context: JobContext, settings: SqlSettings): Promise<void> {
  const { prefix } = await installation(context.db)
  const { held, budget } = await host.briefly([], async (admin) => {
    await endOverstaying(admin, prefix, settings)
    return { held: await connectionsByRole(admin, prefix), budget: budgetOf(await capacity(admin), settings) }
  })
  const members = await store.membersAmong(context.db, [...held.keys()])
  const groups: Group[] = [
    ...grouped(
      members,
      ({ tenant }) => tenant,
      () => budget,
    ),
    ...grouped(members, poolKeyOf, (member) => poolOf(member)?.connections ?? budget),
  ]
  const isOver = ({ roles, limit }: Group) => roles.reduce((sum, role) => sum + (held.get(role) ?? 0), 0) > limit
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
  return [...groups].map(([name, some]) => ({
    name: String(name),
    roles: some.map(({ physical }) => physical),
    limit: Math.min(...some.map(limitOf)),
  }))
}
