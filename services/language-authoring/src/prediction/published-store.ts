import { type ReadingDb, sql } from '@icosa/kernel'

/** The model that answers at a slot or version. */
export interface Answering {
  readonly tenant: string
  readonly app: string
  readonly versionId: string
  readonly version: string
  readonly model: string
  readonly isPublic: boolean
}

const columns = sql`a.tenant, a.id as app, a.is_public as "isPublic"`

export const bySlot = (db: ReadingDb, app: string, slot: string): Promise<Answering | undefined> =>
  db.point(sql`
    select ${columns}, s.version_id as "versionId", s.version, s.model
    from language_authoring.apps a join language_authoring.slots s on s.tenant = a.tenant and s.app = a.id
    where a.id = ${app} and s.slot = ${slot}`)

export const byVersion = (db: ReadingDb, app: string, version: string): Promise<Answering | undefined> =>
  db.point(sql`
    select ${columns}, v.id as "versionId", v.uid as version, v.model
    from language_authoring.apps a join language_authoring.versions v on v.tenant = a.tenant and v.app = a.id
    where a.id = ${app} and v.id = ${version} and v.model is not null`)
