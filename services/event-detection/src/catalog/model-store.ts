import { type Db, empty, type Page, type ReadingDb, readPage, sql } from '@icosa/kernel'
import type { TagMap } from '../shapes/owner.ts'

export type ModelKind = 'detector' | 'alarm'

export interface Model {
  readonly tenant: string
  readonly kind: ModelKind
  readonly name: string
  readonly id: string
  readonly keyAttribute: string | null
  readonly inputs: readonly string[]
  readonly tags: TagMap
  readonly version: number
  readonly generation: string
  readonly createdAt: Date
}

/** A version of a model; the type of `definition` depends on its kind. */
export interface ModelVersion<Definition = unknown> {
  readonly version: number
  readonly description: string | null
  readonly roleArn: string
  readonly definition: Definition
  readonly createdAt: Date
}

const columns = sql`model.tenant, kind, name, id, key_attribute as "keyAttribute", inputs, tags, model.version, generation,
  model.created_at as "createdAt"`
const versionColumns = sql`version.version, description, role_arn as "roleArn", definition,
  version.created_at as "createdAt"`

export function find(db: ReadingDb, tenant: string, kind: ModelKind, name: string): Promise<Model | undefined> {
  return db.maybe(sql`
    select ${columns} from event_detection.models as model where tenant = ${tenant} and kind = ${kind} and name = ${name}`)
}

export function findAll(db: ReadingDb, tenant: string, kind: ModelKind, names: readonly string[]): Promise<Model[]> {
  return db.many(sql`
    select ${columns} from event_detection.models as model
    where tenant = ${tenant} and kind = ${kind} and name = any(${names})`)
}

/** Undefined if the name is in use. */
export function insert(db: Db, model: Omit<Model, 'id' | 'version' | 'generation'>): Promise<Model | undefined> {
  const { tenant, kind, name, keyAttribute, inputs, tags, createdAt } = model
  return db.maybe(sql`
    insert into event_detection.models as model
      (tenant, kind, name, key_attribute, inputs, tags, version, generation, created_at)
    values (${tenant}, ${kind}, ${name}, ${keyAttribute}, ${inputs}, ${JSON.stringify(tags)}, 0,
      nextval('event_detection.generations'), ${createdAt})
    on conflict do nothing returning ${columns}`)
}

/** Adds a version, which becomes the current one. Retires instances of the previous one. */
export async function addVersion(
  db: Db,
  { tenant, kind, name, id, generation, version }: Model,
  inputs: readonly string[],
  { description, roleArn, definition, createdAt }: Omit<ModelVersion, 'version'>,
): Promise<Model> {
  await db.run(sql`
    insert into event_detection.versions (tenant, model_id, version, description, role_arn, definition, created_at)
    values (${tenant}, ${id}, ${version + 1}, ${description}, ${roleArn}, ${JSON.stringify(definition)}, ${createdAt})`)
  if (version > 0) await retire(db, tenant, generation, createdAt)
  return db.one(sql`
    update event_detection.models as model set inputs = ${inputs}, version = ${version + 1},
      generation = nextval('event_detection.generations')
    where tenant = ${tenant} and kind = ${kind} and name = ${name} returning ${columns}`)
}

export async function remove(db: Db, { tenant, kind, name, generation }: Model, now: Date): Promise<void> {
  await db.run(sql`
    delete from event_detection.models where tenant = ${tenant} and kind = ${kind} and name = ${name}`)
  await retire(db, tenant, generation, now)
}

async function retire(db: Db, tenant: string, generation: string, now: Date): Promise<void> {
  await db.run(sql`
    insert into event_detection.retired_generations (tenant, generation, retired_at)
    values (${tenant}, ${generation}, ${now})`)
}

export function findVersion<Definition>(
  db: ReadingDb,
  { tenant, id }: Pick<Model, 'tenant' | 'id'>,
  version: number,
): Promise<ModelVersion<Definition> | undefined> {
  return db.maybe(sql`
    select ${versionColumns} from event_detection.versions as version
    where tenant = ${tenant} and model_id = ${id} and version = ${version}`)
}

export interface PageQuery {
  readonly nextToken?: string | undefined
  readonly maxResults: number
}

/** With the description of the current version. */
export type ListedModel = Pick<Model, 'name' | 'createdAt'> & Pick<ModelVersion, 'description'>

export function list(db: ReadingDb, tenant: string, kind: ModelKind, query: PageQuery): Promise<Page<ListedModel>> {
  return readPage<ListedModel>(
    { limit: query.maxResults, token: query.nextToken, query: ['models', tenant, kind], at: 'query/nextToken' },
    ({ name }) => [name],
    (after, limit) =>
      db.many(sql`
        select name, model.created_at as "createdAt", description
        from event_detection.models as model join event_detection.versions as version
          on version.tenant = model.tenant and model_id = id and version.version = model.version
        where model.tenant = ${tenant} and kind = ${kind} ${after ? sql`and name > ${after[0]}` : empty}
        order by name limit ${limit}`),
  )
}

/** Newest first. */
export function listVersions<Definition>(
  db: ReadingDb,
  { tenant, id }: Model,
  query: PageQuery,
): Promise<Page<ModelVersion<Definition>>> {
  return readPage<ModelVersion<Definition>>(
    { limit: query.maxResults, token: query.nextToken, query: ['versions', tenant, id], at: 'query/nextToken' },
    ({ version }) => [version],
    (after, limit) =>
      db.many(sql`
        select ${versionColumns} from event_detection.versions as version
        where tenant = ${tenant} and model_id = ${id} ${after ? sql`and version < ${after[0]}` : empty}
        order by version desc limit ${limit}`),
  )
}

export function listReaders(
  db: ReadingDb,
  tenant: string,
  inputName: string,
  query: PageQuery,
): Promise<Page<Pick<Model, 'kind' | 'name'>>> {
  return readPage<Pick<Model, 'kind' | 'name'>>(
    { limit: query.maxResults, token: query.nextToken, query: ['readers', tenant, inputName], at: 'body/nextToken' },
    ({ kind, name }) => [kind, name],
    (after, limit) =>
      db.many(sql`
        select kind, name from event_detection.models
        where tenant = ${tenant} and ${inputName} = any(inputs)
          ${after ? sql`and (kind, name) > (${after[0]}, ${after[1]})` : empty}
        order by kind, name limit ${limit}`),
  )
}

export async function putTags(db: Db, tenant: string, kind: ModelKind, name: string, tags: TagMap): Promise<void> {
  await db.run(sql`
    update event_detection.models set tags = ${JSON.stringify(tags)}
    where tenant = ${tenant} and kind = ${kind} and name = ${name}`)
}
