import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { Place } from '../functions/store.ts'

export interface Condition {
  readonly expression: string
  readonly title?: string
  readonly description?: string
  readonly location?: string
}

export interface Binding {
  readonly role: string
  readonly members: readonly string[]
  readonly condition?: Condition
}

export interface AuditConfig {
  readonly service: string
  readonly auditLogConfigs: readonly {
    readonly logType: 'ADMIN_READ' | 'DATA_READ' | 'DATA_WRITE'
    readonly exemptedMembers?: readonly string[]
  }[]
}

/** Policy of a function, with its version. */
export interface PolicyRow {
  readonly policy: {
    readonly version?: number
    readonly bindings?: readonly Binding[]
    readonly auditConfigs?: readonly AuditConfig[]
  }
  readonly number: number
}

const at = (tenant: string, { project, location, function: id }: Place) => sql`
  tenant = ${tenant} and subscription_key = ${project} and location = ${location} and name_key = ${id}`

const columns = sql`policy, policy_number as number`

export function find(db: ReadingDb, tenant: string, place: Place): Promise<PolicyRow | undefined> {
  return db.point(sql`select ${columns} from functions.functions where ${at(tenant, place)}`)
}

export function findLocked(db: Db, tenant: string, place: Place): Promise<PolicyRow | undefined> {
  return db.maybe(sql`select ${columns} from functions.functions where ${at(tenant, place)} for update`)
}

export function replace(db: Db, tenant: string, place: Place, policy: PolicyRow['policy']): Promise<PolicyRow> {
  return db.one(sql`
    update functions.functions set policy = ${JSON.stringify(policy)}, policy_number = policy_number + 1
    where ${at(tenant, place)} returning ${columns}`)
}
