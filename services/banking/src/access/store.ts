import { type Db, type ReadingDb, sql } from '@icosa/kernel'

export async function userOfKey(db: ReadingDb, tenant: string, hash: Buffer): Promise<string | undefined> {
  const row = await db.maybe<{ user: string }>(sql`
    select user_id as user from banking.api_keys where tenant = ${tenant} and key_hash = ${hash}`)
  return row?.user
}

export async function insertKey(db: Db, tenant: string, user: string, hash: Buffer): Promise<void> {
  await db.run(sql`
    insert into banking.api_keys (tenant, key_hash, user_id) values (${tenant}, ${hash}, ${user})`)
}

export interface NewDevice {
  readonly user: string
  readonly installation: string
  readonly publicKey: string
  readonly description: string
  readonly ip: string
  readonly permittedIps: readonly string[]
}

export interface Device {
  readonly id: string
  readonly description: string
  readonly ip: string
  readonly createdAt: Date
}

const deviceColumns = sql`id, description, ip, created_at as "createdAt"`

/** Undefined if this installation has the user's device already. */
export async function insertDevice(db: Db, tenant: string, device: NewDevice, at: Date): Promise<string | undefined> {
  const row = await db.maybe<{ id: string }>(sql`
    insert into banking.devices (tenant, user_id, installation_id, public_key, description, ip, permitted_ips, created_at)
    values (${tenant}, ${device.user}, ${device.installation}, ${device.publicKey}, ${device.description}, ${device.ip},
      ${device.permittedIps}, ${at})
    on conflict (tenant, installation_id, user_id) do nothing returning id`)
  return row?.id
}

/** Where an installation may act for a user. */
export async function deviceOf(db: ReadingDb, tenant: string, installation: string, user: string) {
  const row = await db.maybe<{ id: string; permittedIps: string[] }>(sql`
    select id, permitted_ips as "permittedIps" from banking.devices
    where tenant = ${tenant} and installation_id = ${installation} and user_id = ${user}`)
  return row && { id: row.id, allows: (ip: string) => isPermitted(row.permittedIps, ip) }
}

export const isPermitted = (ips: readonly string[], ip: string) => ips.includes('*') || ips.includes(ip)

export async function devicesOf(db: ReadingDb, tenant: string, user: string): Promise<Device[]> {
  return db.many(sql`
    select ${deviceColumns} from banking.devices where tenant = ${tenant} and user_id = ${user} order by id desc limit 200`)
}

export async function insertSession(
  db: Db,
  tenant: string,
  session: { device: string; user: string; hash: Buffer; at: Date; expiresAt: Date },
): Promise<string> {
  const { device, user, hash, at, expiresAt } = session
  const { id } = await db.one<{ id: string }>(sql`
    insert into banking.sessions (tenant, device_id, user_id, token_hash, created_at, expires_at)
    values (${tenant}, ${device}, ${user}, ${hash}, ${at}, ${expiresAt}) returning id`)
  return id
}

export interface FoundSession {
  readonly id: string
  readonly user: string
  readonly device: string
  readonly installation: string
  readonly publicKey: string
  readonly permittedIps: readonly string[]
  readonly expiresAt: Date
}

export function findSession(db: ReadingDb, tenant: string, hash: Buffer): Promise<FoundSession | undefined> {
  return db.maybe(sql`
    select s.id, s.user_id as user, s.device_id as device, d.installation_id as installation,
      d.public_key as "publicKey", d.permitted_ips as "permittedIps", s.expires_at as "expiresAt"
    from banking.sessions s join banking.devices d on d.tenant = s.tenant and d.id = s.device_id
    where s.tenant = ${tenant} and s.token_hash = ${hash}`)
}

export async function removeSession(db: Db, tenant: string, user: string, id: string): Promise<boolean> {
  return (
    (await db.run(sql`
      delete from banking.sessions where tenant = ${tenant} and id = ${id} and user_id = ${user}`)) === 1
  )
}

export async function ownsAccount(db: ReadingDb, tenant: string, user: string, account: string): Promise<boolean> {
  const row = await db.point<{ id: string }>(sql`
    select id from banking.monetary_accounts where tenant = ${tenant} and id = ${account} and user_id = ${user}`)
  return row !== undefined
}

export async function userExists(db: ReadingDb, tenant: string, user: string): Promise<boolean> {
  return (
    (await db.point<{ id: string }>(sql`select id from banking.users where tenant = ${tenant} and id = ${user}`)) !==
    undefined
  )
}
