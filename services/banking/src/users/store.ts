import { randomUUID } from 'node:crypto'
import { type Db, type ReadingDb, sql } from '@icosa/kernel'

export type UserKind = 'UserPerson' | 'UserCompany'

export interface User {
  readonly id: string
  readonly kind: UserKind
  readonly uuid: string
  readonly displayName: string
  readonly email: string
  readonly phone: string
  readonly profile: Readonly<Record<string, unknown>>
  readonly sessionTimeout: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = sql`id, kind, uuid, display_name as "displayName", email, phone, profile,
  session_timeout as "sessionTimeout", created_at as "createdAt", updated_at as "updatedAt"`

export type NewUser = Pick<User, 'kind' | 'displayName' | 'email' | 'phone' | 'profile'>

export async function insertUser(db: Db, tenant: string, user: NewUser, at: Date): Promise<User> {
  const { kind, displayName, email, phone, profile } = user
  return db.one(sql`
    insert into banking.users (tenant, kind, uuid, display_name, email, phone, profile, session_timeout, created_at,
      updated_at)
    values (${tenant}, ${kind}, ${randomUUID()}, ${displayName}, ${email}, ${phone}, ${JSON.stringify(profile)}, 604800,
      ${at}, ${at})
    returning ${columns}`)
}

export function findUser(db: ReadingDb, tenant: string, id: string): Promise<User | undefined> {
  return db.point(sql`select ${columns} from banking.users where tenant = ${tenant} and id = ${id}`)
}

export function listUsers(db: ReadingDb, tenant: string): Promise<User[]> {
  return db.many(sql`select ${columns} from banking.users where tenant = ${tenant} order by id desc limit 200`)
}

export async function changeUser(
  db: Db,
  tenant: string,
  id: string,
  change: {
    readonly displayName?: string | undefined
    readonly sessionTimeout?: number | undefined
    readonly profile: Readonly<Record<string, unknown>>
  },
  at: Date,
): Promise<void> {
  await db.run(sql`
    update banking.users set display_name = coalesce(${change.displayName ?? null}, display_name),
      session_timeout = coalesce(${change.sessionTimeout ?? null}, session_timeout),
      profile = profile || ${JSON.stringify(change.profile)}::jsonb, updated_at = ${at}
    where tenant = ${tenant} and id = ${id}`)
}
