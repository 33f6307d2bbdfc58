import { type Db, type ReadingDb, sql } from '@icosa/kernel'

export interface KeptKey {
  readonly publicKey: string
  readonly privateKey: Buffer
}

export function findServerKey(db: ReadingDb): Promise<KeptKey | undefined> {
  return db.maybe(sql`
    select public_key as "publicKey", private_key as "privateKey" from banking.server_keys where id = 'current'`)
}

/** Answers the one that is kept: another node may have been first. */
export async function keepServerKey(db: Db, { publicKey, privateKey }: KeptKey): Promise<KeptKey> {
  await db.run(sql`
    insert into banking.server_keys (id, public_key, private_key) values ('current', ${publicKey}, ${privateKey})
    on conflict do nothing`)
  return (await findServerKey(db)) as KeptKey
}
