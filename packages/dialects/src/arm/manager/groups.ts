import { type Page, type ReadingDb, raw, readPage, sql } from '@icosa/kernel'
import { keyOf } from '../names.ts'
import { resourceTables } from '../resource-tables.ts'

/** A resource group, in the first spelling stored. */
export interface Group {
  readonly key: string
  readonly name: string
}

interface Owner {
  readonly tenant: string
  readonly subscription: string
}

/** Groups are implicit: one exists while it contains a resource of any service. */
export async function findGroup(
  db: ReadingDb,
  { tenant, subscription }: Owner,
  name: string,
): Promise<Group | undefined> {
  const key = keyOf(name)
  for (const table of await resourceTables(db, 'group_key', 'resource_group')) {
    const group = await db.maybe<Group>(sql`
      select group_key as key, resource_group as name from ${raw(table)}
      where tenant = ${tenant} and subscription_key = ${keyOf(subscription)} and group_key = ${key} limit 1`)
    if (group) return group
  }
  return undefined
}

export async function listGroups(
  db: ReadingDb,
  { tenant, subscription }: Owner,
  token: string | undefined,
): Promise<Page<Group>> {
  return readPage<Group>(
    { limit: 100, token, query: ['groups', tenant, keyOf(subscription)], at: 'query/$skipToken' },
    ({ key }) => [key],
    async ([after] = [''], count) => {
      const groups = new Map<string, Group>()
      for (const table of await resourceTables(db, 'group_key', 'resource_group')) {
        const rows = await db.many<Group>(sql`
          select distinct on (group_key collate "C") group_key as key, resource_group as name from ${raw(table)}
          where tenant = ${tenant} and subscription_key = ${keyOf(subscription)}
            and group_key collate "C" > ${String(after)}
          order by group_key collate "C" limit ${count}`)
        for (const group of rows) if (!groups.has(group.key)) groups.set(group.key, group)
      }
      const inOrder = (a: Group, b: Group) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key))
      return [...groups.values()].sort(inOrder).slice(0, count)
    },
  )
}
