import { type Db, empty, type ReadingDb, sql } from '@icosa/kernel'
import type { PageQuery } from '../dialect/reply.ts'
import { page } from '../documents/page-store.ts'

export interface Credential {
  readonly id: string
  readonly description: string
  readonly ip: string
  readonly createdAt: Date
  /** An address has the number of its place. */
  readonly ips: readonly string[]
  readonly inactiveIps: readonly string[]
}

const columns = sql`id, description, ip, created_at as "createdAt", permitted_ips as ips, inactive_ips as "inactiveIps"`

export const listCredentials = (db: ReadingDb, tenant: string, user: string, query: PageQuery): Promise<Credential[]> =>
  db.many(sql`
    select ${columns} from banking.devices where tenant = ${tenant} and user_id = ${user} ${page(sql`id`, query)}`)

export const findCredential = (
  db: ReadingDb,
  tenant: string,
  user: string,
  id: string,
  { isLocked = false } = {},
): Promise<Credential | undefined> =>
  db.maybe(sql`
    select ${columns} from banking.devices where tenant = ${tenant} and user_id = ${user} and id = ${id}
    ${isLocked ? sql`for update` : empty}`)

export async function updateIps(
  db: Db,
  tenant: string,
  id: string,
  { ips, inactiveIps }: Pick<Credential, 'ips' | 'inactiveIps'>,
): Promise<void> {
  await db.run(sql`
    update banking.devices set permitted_ips = ${ips}, inactive_ips = ${inactiveIps} where tenant = ${tenant} and id = ${id}`)
}
