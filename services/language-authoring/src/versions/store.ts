import { type Db, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import type { Content } from '../content/content.ts'

export interface Version {
  readonly app: string
  readonly id: string
  /** Never reused, unlike the id. */
  readonly uid: string
  readonly revision: string
  readonly intentsCount: number
  readonly entitiesCount: number
  readonly endpointHits: string
  readonly createdAt: Date
  readonly modifiedAt: Date
  readonly trainingStatus: 'queued' | 'running' | 'succeeded' | 'failed' | null
  readonly trainingFailure: string | null
  readonly trainedAt: Date | null
  readonly trainedRevision: string | null
  readonly trainedExamples: number | null
  readonly model: string | null
  readonly publishedAt: Date | null
}

export interface WholeVersion extends Version {
  readonly content: Content
}

export interface NewVersion {
  readonly app: string
  readonly id: string
  readonly uid: string
  readonly content: Content
  readonly nextExample: number
}

const columns = sql`app, id, uid, revision, intents_count as "intentsCount", entities_count as "entitiesCount",
  endpoint_hits as "endpointHits", created_at as "createdAt", modified_at as "modifiedAt",
  training_status as "trainingStatus", training_failure as "trainingFailure", trained_at as "trainedAt",
  trained_revision as "trainedRevision", trained_examples as "trainedExamples", model, published_at as "publishedAt"`

const counts = ({ models }: Content) => {
  const intents = models.filter(({ kind }) => kind === 'intent').length
  return { intents, entities: models.length - intents }
}

/** Returns false if the id is taken. */
export async function insert(db: Db, tenant: string, version: NewVersion, now: Date): Promise<boolean> {
  const { app, id, uid, content, nextExample } = version
  const { intents, entities } = counts(content)
  const count = await db.run(sql`
    insert into language_authoring.versions (tenant, app, id, uid, content, next_example, intents_count, entities_count,
      created_at, modified_at)
    values (${tenant}, ${app}, ${id}, ${uid}, ${JSON.stringify(content)}, ${nextExample}, ${intents}, ${entities},
      ${now}, ${now})
    on conflict do nothing`)
  return count === 1
}

const byId = (tenant: string, app: string, id: string): Sql =>
  sql`from language_authoring.versions where tenant = ${tenant} and app = ${app} and id = ${id}`

export const find = (db: ReadingDb, tenant: string, app: string, id: string): Promise<Version | undefined> =>
  db.point(sql`select ${columns} ${byId(tenant, app, id)}`)

export const read = (db: ReadingDb, tenant: string, app: string, id: string): Promise<WholeVersion | undefined> =>
  db.maybe(sql`select ${columns}, content ${byId(tenant, app, id)}`)

/** Locks it until the transaction ends. */
export const lock = (db: Db, tenant: string, app: string, id: string): Promise<WholeVersion | undefined> =>
  db.maybe(sql`select ${columns}, content ${byId(tenant, app, id)} for update`)

export const byUid = (db: ReadingDb, tenant: string, uid: string): Promise<WholeVersion | undefined> =>
  db.maybe(sql`select ${columns}, content from language_authoring.versions where tenant = ${tenant} and uid = ${uid}`)

export function list(db: ReadingDb, tenant: string, app: string, skip: number, take: number): Promise<Version[]> {
  return db.many(sql`
    select ${columns} from language_authoring.versions where tenant = ${tenant} and app = ${app}
    order by created_at, id limit ${take} offset ${skip}`)
}

export const allOf = (db: ReadingDb, tenant: string, app: string): Promise<Version[]> =>
  db.many(sql`select ${columns} from language_authoring.versions where tenant = ${tenant} and app = ${app}`)

export async function save(db: Db, tenant: string, uid: string, content: Content, now: Date): Promise<void> {
  const { intents, entities } = counts(content)
  await db.run(sql`
    update language_authoring.versions set content = ${JSON.stringify(content)}, intents_count = ${intents},
      entities_count = ${entities}, revision = revision + 1, modified_at = ${now}
    where tenant = ${tenant} and uid = ${uid}`)
}

/** Records a change of utterances. Returns the first id for new ones. */
export async function touch(db: Db, tenant: string, uid: string, now: Date, examples = 0): Promise<number> {
  const row = await db.one<{ first: string }>(sql`
    update language_authoring.versions set revision = revision + 1, modified_at = ${now},
      next_example = next_example + ${examples}
    where tenant = ${tenant} and uid = ${uid} returning next_example - ${examples}::bigint as first`)
  return Number(row.first)
}

export async function rename(db: Db, tenant: string, uid: string, id: string): Promise<void> {
  await db.run(sql`update language_authoring.versions set id = ${id} where tenant = ${tenant} and uid = ${uid}`)
  await db.run(
    sql`update language_authoring.slots set version_id = ${id} where tenant = ${tenant} and version = ${uid}`,
  )
}

/** Copies all but its utterances and its model. Returns false if the id is taken. */
export async function copy(
  db: Db,
  tenant: string,
  from: Version,
  id: string,
  uid: string,
  now: Date,
): Promise<boolean> {
  const count = await db.run(sql`
    insert into language_authoring.versions (tenant, app, id, uid, content, next_example, intents_count, entities_count,
      created_at, modified_at)
    select tenant, app, ${id}, ${uid}::uuid, content, next_example, intents_count, entities_count, ${now}::timestamptz,
      ${now}::timestamptz
    from language_authoring.versions where tenant = ${tenant} and uid = ${from.uid}
    on conflict do nothing`)
  return count === 1
}

export async function remove(db: Db, tenant: string, uid: string): Promise<void> {
  await db.run(sql`delete from language_authoring.versions where tenant = ${tenant} and uid = ${uid}`)
}

/** Whether a slot uses the version. */
export async function isPublished(db: ReadingDb, tenant: string, uid: string): Promise<boolean> {
  const row = await db.maybe(
    sql`select 1 from language_authoring.slots where tenant = ${tenant} and version = ${uid} limit 1`,
  )
  return row !== undefined
}
