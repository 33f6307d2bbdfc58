import { type Db, type ReadingDb, type Sql, sql } from '@icosa/kernel'

/** The owner of a key; `grant` is the consent under which an application uses it. */
export interface KeyOwner {
  readonly user: string
  readonly grant: string | null
}

export function ownerOfKey(db: ReadingDb, tenant: string, hash: Buffer): Promise<KeyOwner | undefined> {
  return db.maybe(sql`
    select user_id as user, grant_id as grant from banking.api_keys where tenant = ${tenant} and key_hash = ${hash}`)
}

/** Returns the owner of a user's own key; undefined for the key of an application. */
export async function userOfKey(db: ReadingDb, tenant: string, hash: Buffer): Promise<string | undefined> {
  const owner = await ownerOfKey(db, tenant, hash)
  return owner?.grant === null ? owner.user : undefined
}

export async function insertKey(
  db: Db,
  tenant: string,
  user: string,
  hash: Buffer,
  grant: string | null = null,
): Promise<void> {
  await db.run(sql`
    insert into banking.api_keys (tenant, key_hash, user_id, grant_id) values (${tenant}, ${hash}, ${user}, ${grant})`)
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

/** Returns undefined if this installation is already a device of the user. */
export async function insertDevice(db: Db, tenant: string, device: NewDevice, at: Date): Promise<string | undefined> {
  const row = await db.maybe<{ id: string }>(sql`
    insert into banking.devices (tenant, user_id, installation_id, public_key, description, ip, permitted_ips, created_at)
    values (${tenant}, ${device.user}, ${device.installation}, ${device.publicKey}, ${device.description}, ${device.ip},
      ${device.permittedIps}, ${at})
    on conflict (tenant, installation_id, user_id) do nothing returning id`)
  return row?.id
}

/** The permitted addresses that are not deactivated. */
const activeIps = (device: Sql) =>
  sql`array(select unnest(${device}.permitted_ips) except select unnest(${device}.inactive_ips))`

/** Returns the device by which an installation acts for a user. */
export async function deviceOf(db: ReadingDb, tenant: string, installation: string, user: string) {
  const row = await db.maybe<{ id: string; permittedIps: string[] }>(sql`
    select id, ${activeIps(sql`devices`)} as "permittedIps" from banking.devices
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
  session: { device: string; user: string; grant: string | null; hash: Buffer; at: Date; expiresAt: Date },
): Promise<string> {
  const { device, user, grant, hash, at, expiresAt } = session
  const { id } = await db.one<{ id: string }>(sql`
    insert into banking.sessions (tenant, device_id, user_id, grant_id, token_hash, created_at, expires_at)
    values (${tenant}, ${device}, ${user}, ${grant}, ${hash}, ${at}, ${expiresAt}) returning id`)
  return id
}

export interface SessionRow {
  readonly id: string
  readonly user: string
  readonly grant: string | null
  readonly device: string
  readonly installation: string
  readonly publicKey: string
  readonly permittedIps: readonly string[]
  readonly expiresAt: Date
}

/** A session of an application exists while both the consent and the client are active. */
export function findSession(db: ReadingDb, tenant: string, hash: Buffer): Promise<SessionRow | undefined> {
  return db.point(sql`
    select s.id, s.user_id as user, s.grant_id as grant, s.device_id as device, d.installation_id as installation,
      d.public_key as "publicKey", ${activeIps(sql`d`)} as "permittedIps", s.expires_at as "expiresAt"
    from banking.sessions s join banking.devices d on d.tenant = s.tenant and d.id = s.device_id
    left join banking.records g on g.tenant = s.tenant and g.kind = 'OauthGrant' and g.id = s.grant_id
    left join banking.records c on c.tenant = s.tenant and c.kind = 'OauthClient' and c.id = g.parent_id
    where s.tenant = ${tenant} and s.token_hash = ${hash}
      and (s.grant_id is null or (g.status = 'ACTIVE' and c.status = 'ACTIVE'))`)
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

export interface ServerKey {
  readonly publicKey: string
  readonly privateKey: Buffer
}

export function findServerKey(db: ReadingDb): Promise<ServerKey | undefined> {
  return db.maybe(sql`
    select public_key as "publicKey", private_key as "privateKey" from banking.server_keys where id = 'current'`)
}

/** Returns the stored key: another node may have inserted one first. */
export async function insertServerKey(db: Db, { publicKey, privateKey }: ServerKey): Promise<ServerKey> {
  await db.run(sql`
    insert into banking.server_keys (id, public_key, private_key) values ('current', ${publicKey}, ${privateKey})
    on conflict do nothing`)
  return (await findServerKey(db)) as ServerKey
}
