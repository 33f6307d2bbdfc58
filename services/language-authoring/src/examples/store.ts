import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { Label } from '../content/content.ts'

export interface Example {
  readonly id: number
  readonly text: string
  /** The id of its intent. */
  readonly intent: string
  readonly labels: readonly Label[]
}

interface Row extends Omit<Example, 'id'> {
  readonly id: string
}

const columns = sql`id, text, intent, labels`
const toExample = ({ id, text, intent, labels }: Row): Example => ({ id: Number(id), text, intent, labels })

function modelsOf(labels: readonly Label[]): string[] {
  return [...new Set(labels.flatMap(({ model, children = [] }) => [model, ...modelsOf(children)]))]
}

/** Inserts or replaces all examples in one statement. */
export async function put(db: Db, tenant: string, version: string, examples: readonly Example[]): Promise<void> {
  if (examples.length === 0) return
  const rows = examples.map((example) => ({ ...example, models: modelsOf(example.labels) }))
  await db.run(sql`
    insert into language_authoring.utterances (tenant, version, id, text, intent, labels, models)
    select ${tenant}, ${version}::uuid, id, text, intent, labels, models
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as t(id bigint, text text, intent uuid, labels json, models uuid[])
    on conflict (tenant, version, id) do update set text = excluded.text, intent = excluded.intent,
      labels = excluded.labels, models = excluded.models`)
}

export async function all(db: ReadingDb, tenant: string, version: string): Promise<Example[]> {
  const rows = await db.many<Row>(sql`
    select ${columns} from language_authoring.utterances where tenant = ${tenant} and version = ${version} order by id`)
  return rows.map(toExample)
}

export async function count(db: ReadingDb, tenant: string, version: string): Promise<number> {
  const row = await db.one<{ count: string }>(sql`
    select count(*) from language_authoring.utterances where tenant = ${tenant} and version = ${version}`)
  return Number(row.count)
}

/** Counts the utterances of each intent and entity. */
export async function countsByModel(db: ReadingDb, tenant: string, version: string): Promise<Map<string, number>> {
  const rows = await db.many<{ model: string; count: string }>(sql`
    select model, count(*) from language_authoring.utterances, unnest(models || intent) as model
    where tenant = ${tenant} and version = ${version} group by model`)
  return new Map(rows.map((row) => [row.model, Number(row.count)]))
}

export interface Part {
  readonly skip: number
  readonly take: number
}

export async function list(db: ReadingDb, tenant: string, version: string, { skip, take }: Part): Promise<Example[]> {
  const rows = await db.many<Row>(sql`
    select ${columns} from language_authoring.utterances where tenant = ${tenant} and version = ${version}
    order by id limit ${take} offset ${skip}`)
  return rows.map(toExample)
}

/** Lists utterances of an intent or entity. */
export function ofModel(db: ReadingDb, tenant: string, version: string, model: string, { skip, take }: Part) {
  return db.many<{ readonly id: string; readonly text: string }>(sql`
    select id, text from language_authoring.utterances
    where tenant = ${tenant} and version = ${version} and (intent = ${model} or ${model}::uuid = any(models))
    order by id limit ${take} offset ${skip}`)
}

export async function labelledWith(db: ReadingDb, tenant: string, version: string, models: readonly string[]) {
  const rows = await db.many<Row>(sql`
    select ${columns} from language_authoring.utterances
    where tenant = ${tenant} and version = ${version} and models && ${models as string[]}::uuid[]`)
  return rows.map(toExample)
}

/** Finds ids of utterances by text. */
export async function idsOf(db: ReadingDb, tenant: string, version: string, texts: readonly string[]) {
  const rows = await db.many<{ id: string; text: string }>(sql`
    select min(id) as id, text from language_authoring.utterances
    where tenant = ${tenant} and version = ${version}
      and md5(text) in (select md5(t) from unnest(${texts as string[]}::text[]) as t)
    group by text`)
  return new Map(rows.map(({ id, text }) => [text, Number(id)]))
}

export async function remove(db: Db, tenant: string, version: string, id: number): Promise<boolean> {
  const count = await db.run(sql`
    delete from language_authoring.utterances where tenant = ${tenant} and version = ${version} and id = ${id}`)
  return count === 1
}

export async function moveIntent(db: Db, tenant: string, version: string, from: string, to: string): Promise<void> {
  await db.run(sql`
    update language_authoring.utterances set intent = ${to}
    where tenant = ${tenant} and version = ${version} and intent = ${from}`)
}

export async function removeIntent(db: Db, tenant: string, version: string, intent: string): Promise<void> {
  await db.run(sql`
    delete from language_authoring.utterances
    where tenant = ${tenant} and version = ${version} and intent = ${intent}`)
}

export async function copy(db: Db, tenant: string, from: string, to: string): Promise<void> {
  await db.run(sql`
    insert into language_authoring.utterances (tenant, version, id, text, intent, labels, models)
    select tenant, ${to}::uuid, id, text, intent, labels, models from language_authoring.utterances
    where tenant = ${tenant} and version = ${from}`)
}

/** Deletes a batch of utterances of a deleted version; returns their number. */
export function clear(db: Db, tenant: string, version: string, max: number): Promise<number> {
  return db.run(sql`
    delete from language_authoring.utterances where tenant = ${tenant} and version = ${version} and id in
      (select id from language_authoring.utterances where tenant = ${tenant} and version = ${version} limit ${max})`)
}
