import { type Db, type ReadingDb, sql } from '@icosa/kernel'

export async function folderId(db: ReadingDb, name: string): Promise<string | undefined> {
  const row = await db.maybe<{ id: string }>(sql`select id from platform.shared_folders where name = ${name}`)
  return row?.id
}

/** Records the id of a folder that has none yet. */
export async function recordFolder(db: Db, name: string, id: string): Promise<void> {
  await db.run(sql`insert into platform.shared_folders (name, id) values (${name}, ${id}) on conflict do nothing`)
}
