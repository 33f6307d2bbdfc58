import { type ReadingDb, sql } from '@icosa/kernel'

/** Data keys of a cell, wrapped by its master keys. */
const dataKeys = (db: ReadingDb) =>
  db.many<{ id: string; masters: string[] }>(sql`
    select id, array(select jsonb_object_keys(wrapped)) as masters from icosa.data_keys`)

/**
 * What the target lacks to open what the tenant has sealed in the source. Both need the same data keys, under a common
 * master key; undefined if they have them.
 */
export async function lackingKeys(source: ReadingDb, target: ReadingDb): Promise<string | undefined> {
  const [own, others] = await Promise.all([dataKeys(source), dataKeys(target)])
  const lacking = own.filter((key) => !others.some(({ id }) => id === key.id))
  if (lacking.length === 0) return undefined
  return (
    `The target lacks ${lacking.length} of the ${own.length} data keys, and could not open what the tenant has sealed: ` +
    'create cells with the data keys and master key of the first one.'
  )
}
