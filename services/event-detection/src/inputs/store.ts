import { type Db, empty, type Page, type ReadingDb, readPage, sql } from '@icosa/kernel'
import type { PageQuery } from '../catalog/model-store.ts'
import type { InputDefinition } from '../models/contract.ts'
import type { TagMap } from '../shapes/owner.ts'

export interface Input {
  readonly name: string
  readonly description: string | null
  readonly definition: InputDefinition
  readonly tags: TagMap
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = sql`name, description, definition, tags, created_at as "createdAt", updated_at as "updatedAt"`

export function find(db: ReadingDb, tenant: string, name: string): Promise<Input | undefined> {
  return db.maybe(sql`select ${columns} from event_detection.inputs where tenant = ${tenant} and name = ${name}`)
}

/** Undefined if the name is in use. */
export function insert(db: Db, tenant: string, input: Omit<Input, 'updatedAt'>): Promise<Input | undefined> {
  const { name, description, definition, tags, createdAt } = input
  return db.maybe(sql`
    insert into event_detection.inputs (tenant, name, description, definition, tags, created_at, updated_at)
    values (${tenant}, ${name}, ${description}, ${JSON.stringify(definition)}, ${JSON.stringify(tags)}, ${createdAt},
      ${createdAt})
    on conflict do nothing returning ${columns}`)
}

export function update(
  db: Db,
  tenant: string,
  { name, description, definition, updatedAt }: Pick<Input, 'name' | 'description' | 'definition' | 'updatedAt'>,
): Promise<Input | undefined> {
  return db.maybe(sql`
    update event_detection.inputs
    set description = ${description}, definition = ${JSON.stringify(definition)}, updated_at = ${updatedAt}
    where tenant = ${tenant} and name = ${name} returning ${columns}`)
}

export async function remove(db: Db, tenant: string, name: string): Promise<void> {
  await db.run(sql`delete from event_detection.inputs where tenant = ${tenant} and name = ${name}`)
}

export function list(db: ReadingDb, tenant: string, query: PageQuery): Promise<Page<Input>> {
  return readPage<Input>(
    { limit: query.maxResults, token: query.nextToken, query: ['inputs', tenant], at: 'query/nextToken' },
    ({ name }) => [name],
    (after, limit) =>
      db.many(sql`
        select ${columns} from event_detection.inputs
        where tenant = ${tenant} ${after ? sql`and name > ${after[0]}` : empty} order by name limit ${limit}`),
  )
}

/** Definitions of all inputs of a tenant, by name. */
export async function definitions(db: ReadingDb, tenant: string): Promise<ReadonlyMap<string, InputDefinition>> {
  const rows = await db.many<Pick<Input, 'name' | 'definition'>>(
    sql`select name, definition from event_detection.inputs where tenant = ${tenant}`,
  )
  return new Map(rows.map(({ name, definition }) => [name, definition]))
}

export async function putTags(db: Db, tenant: string, name: string, tags: TagMap): Promise<void> {
  await db.run(sql`
    update event_detection.inputs set tags = ${JSON.stringify(tags)} where tenant = ${tenant} and name = ${name}`)
}
