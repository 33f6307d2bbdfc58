import { keyOf } from '@icosa/dialects/arm/names'
import { type Db, empty, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import type { Phase, Role } from './hosting/store.ts'
import type { State, Work } from './work.ts'

/** How an instance is doing on its node. */
export interface Seen {
  readonly phase: Phase
  readonly role: Role | null
  readonly message: string | null
  readonly host: string
  readonly port: number
}

/** Of the instance with this id, if it has a place. */
export const seen = (id: Sql) => sql`
  (select jsonb_build_object('phase', i.phase, 'role', i.role, 'message', i.message, 'port', i.port, 'host', h.address)
    from sql_virtual_machines.instances as i join sql_virtual_machines.hosts as h on h.id = i.host where i.id = ${id})`

interface Scope {
  readonly subscriptionId: string
  readonly resourceGroupName: string
}

/** The row that a path names. */
export const at = (tenant: string, { subscriptionId, resourceGroupName }: Scope, name: string) => sql`
  tenant = ${tenant} and subscription_key = ${keyOf(subscriptionId)} and group_key = ${keyOf(resourceGroupName)}
  and name_key = ${keyOf(name)}`

/** What is done to the rows of machines as to those of groups: they are found, work is begun on them, and comes to an end. */
export function workedOn<Row, Named>(table: Sql, columns: Sql, named: (tenant: string, scope: Named) => Sql) {
  const change = (db: Db, id: string, set: Sql, condition: Sql = empty): Promise<Row | undefined> =>
    db.maybe(sql`update ${table} set ${set} where id = ${id} ${condition} returning ${columns}`)
  const select = sql`select ${columns} from ${table}`
  return {
    change,
    find: (db: ReadingDb, tenant: string, scope: Named): Promise<Row | undefined> =>
      db.point(sql`${select} where ${named(tenant, scope)}`),
    /** Nobody else changes the row, or what is in a group, until the transaction ends. */
    async findLocked(db: Db, tenant: string, scope: Named): Promise<Row | undefined> {
      await db.maybe(sql`select from ${table} where ${named(tenant, scope)} for update`)
      return db.maybe(sql`${select} where ${named(tenant, scope)}`)
    },
    findById: (db: ReadingDb, id: string): Promise<Row | undefined> => db.maybe(sql`${select} where id = ${id}`),
    setTags: (db: Db, { id }: Pick<Work, 'id'>, tags: Readonly<Record<string, string>>) =>
      change(db, id, sql`tags = ${JSON.stringify(tags)}`),
    begin: (db: Db, { id, work }: Work, state: State, operation: string) =>
      change(db, id, sql`state = ${state}, message = null, work = ${work}, operation = ${operation}`),
    /** Undefined if other work was begun in the meantime. */
    settle: (db: Db, { id, work }: Work, state: State, message: string | null = null) =>
      change(db, id, sql`state = ${state}, message = ${message}`, sql`and work = ${work}`),
    findWork: (db: ReadingDb, { id, work }: Work): Promise<Row | undefined> =>
      db.maybe(sql`${select} where id = ${id} and work = ${work}`),
  }
}
