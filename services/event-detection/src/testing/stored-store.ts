import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import { partitionOf } from '../mailbox/partition.ts'
import { arrayOf } from '../shapes/array.ts'

/** Stores instances `k0`, `k1` ... of a model as copies of an existing one. */
export async function storeCopies(db: Db, modelName: string, of: string, count: number): Promise<void> {
  const model = await db.one<{ id: string; generation: string }>(
    sql`select id, generation from event_detection.models where name = ${modelName}`,
  )
  for (let start = 0; start < count; start += 10_000) {
    const keys = Array.from({ length: Math.min(10_000, count - start) }, (_, index) => `k${start + index}`)
    const partitions = keys.map((key) => partitionOf(model.id, key))
    await db.run(sql`
      insert into event_detection.instances
        (tenant, generation, key, partition, state_name, state, due_at, created_at, updated_at)
      select tenant, generation, stored.key, stored.partition, state_name, state, due_at, created_at, updated_at
      from unnest(${arrayOf(keys)}::text[], ${arrayOf(partitions)}::smallint[]) as stored(key, partition)
      cross join event_detection.instances as original
      where original.generation = ${model.generation} and original.key = ${of}
      on conflict do nothing`)
  }
  await db.run(sql`delete from event_detection.instances where generation = ${model.generation} and key = ${of}`)
  await db.script('vacuum analyze event_detection.instances')
}

/** Number of messages that a detector has counted. */
export async function countOf(db: ReadingDb, key: string): Promise<number> {
  const row = await db.maybe<{ count: number }>(
    sql`select (state->'variables'->>'count')::int as count from event_detection.instances where key = ${key}`,
  )
  return row?.count ?? 0
}
