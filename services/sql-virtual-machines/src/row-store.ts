import { keyOf } from '@icosa/dialects/arm/names'
import { type Db, empty, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import type { Phase, Role } from './hosting/store.ts'
import type { State, Work } from './work.ts'

/** Status of an instance on its node. */
export interface InstanceStatus {
  readonly phase: Phase
  readonly role: Role | null
  readonly message: string | null
  readonly host: string
  readonly port: number
}

/** Selects the status of an instance, if it is placed. */
export const instanceStatus = (id: Sql) => sql`
  (select jsonb_build_object('phase', i.phase, 'role', i.role, 'message', i.message, 'port', i.port, 'host', h.address)
    from sql_virtual_machines.instances as i join sql_virtual_machines.hosts as h on h.id = i.host where i.id = ${id})`

interface Scope {
  readonly subscriptionId: string
  readonly resourceGroupName: string
}

/** Selects the row of a path. */
export const at = (tenant: string, { subscriptionId, resourceGroupName }: Scope, name: string) => sql`
  tenant = ${tenant} and subscription_key = ${keyOf(subscriptionId)} and group_key = ${keyOf(resourceGroupName)}
  and name_key = ${keyOf(name)}`

/** Common statements for rows of machines and groups: find them, and start and end operations on them. */
export function operableRows<Row, Key>(table: Sql, columns: Sql, byName: (tenant: string, scope: Key) => Sql) {
  const change = (db: Db, id: string, set: Sql, condition: Sql = empty): Promise<Row | undefined> =>
    db.maybe(sql`update ${table} set ${set} where id = ${id} ${condition} returning ${columns}`)
  const select = sql`select ${columns} from ${table}`
  return {
    change,
    find: (db: ReadingDb, tenant: string, scope: Key): Promise<Row | undefined> =>
      db.point(sql`${select} where ${byName(tenant, scope)}`),
    /** Locks the row, and a group against changes of its members, until the transaction ends. */
    async findLocked(db: Db, tenant: string, scope: Key): Promise<Row | undefined> {
      await db.maybe(sql`select from ${table} where ${byName(tenant, scope)} for update`)
      return db.maybe(sql`${select} where ${byName(tenant, scope)}`)
    },
    findById: (db: ReadingDb, id: string): Promise<Row | undefined> => db.maybe(sql`${select} where id = ${id}`),
    setTags: (db: Db, { id }: Pick<Work, 'id'>, tags: Readonly<Record<string, string>>) =>
      change(db, id, sql`tags = ${JSON.stringify(tags)}`),
    begin: (db: Db, { id, work }: Work, state: State, operation: string) =>
      change(db, id, sql`state = ${state}, message = null, work = ${work}, operation = ${operation}`),
    /** Undefined if another operation has started since. */
    settle: (db: Db, { id, work }: Work, state: State, message: string | null = null) =>
      change(db, id, sql`state = ${state}, message = ${message}`, sql`and work = ${work}`),
    findWork: (db: ReadingDb, { id, work }: Work): Promise<Row | undefined> =>
      db.maybe(sql`${select} where id = ${id} and work = ${work}`),
  }
}
