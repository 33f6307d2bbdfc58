import { type Db, type ReadingDb, sql } from '@icosa/kernel'

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
