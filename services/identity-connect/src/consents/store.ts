import { type Db, type ReadingDb, sql } from '@icosa/kernel'

export interface Consent {
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly claims: readonly string[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = sql`client_id as "clientId", scopes, claims, created_at as "createdAt", updated_at as "updatedAt"`

/** Adds to the existing consent. */
export function add(
  db: Db,
  person: string,
  { clientId, scopes, claims }: Pick<Consent, 'clientId' | 'scopes' | 'claims'>,
  now: Date,
): Promise<Consent> {
  return db.one(sql`
    insert into identity_connect.consents as c (person, client_id, scopes, claims, created_at, updated_at)
    values (${person}, ${clientId}, array(select distinct unnest(${scopes}::text[]) order by 1),
      array(select distinct unnest(${claims}::text[]) order by 1), ${now}, ${now})
    on conflict (person, client_id) do update set
      scopes = array(select distinct unnest(c.scopes || excluded.scopes) order by 1),
      claims = array(select distinct unnest(c.claims || excluded.claims) order by 1), updated_at = ${now}
    returning ${columns}`)
}

export function find(db: ReadingDb, person: string, clientId: string): Promise<Consent | undefined> {
  return db.maybe(sql`
    select ${columns} from identity_connect.consents where person = ${person} and client_id = ${clientId}`)
}

export function list(db: ReadingDb, person: string): Promise<Consent[]> {
  return db.many(sql`
    select ${columns} from identity_connect.consents where person = ${person} order by created_at, client_id limit 1000`)
}

export async function remove(db: Db, person: string, clientId: string): Promise<boolean> {
  return (
    (await db.run(sql`
    delete from identity_connect.consents where person = ${person} and client_id = ${clientId}`)) === 1
  )
}

export function removeOfClient(db: Db, clientId: string): Promise<number> {
  return db.run(sql`delete from identity_connect.consents where client_id = ${clientId}`)
}
