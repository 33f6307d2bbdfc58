import { type Db, type ReadingDb, sql } from '@icosa/kernel'

/** Pseudo tenant of dictionary words. */
export const dictionaryTenant = '*'

export interface Candidate {
  readonly word: string
  readonly documents: number
  readonly titles: number
}

/** Counts of these words, if they occur. */
export function counts(db: ReadingDb, tenant: string, words: readonly string[]): Promise<Candidate[]> {
  return db.many(sql`
    select word, documents::float8 as documents, titles::float8 as titles from podcast_directory.vocabulary
    where tenant = ${tenant} and word = any(${words})`)
}

/** Words with one of these spellings. */
export function withSpellings(db: ReadingDb, spellings: readonly string[]): Promise<Candidate[]> {
  return db.many(sql`
    select word, max(documents)::float8 as documents, max(titles)::float8 as titles
    from podcast_directory.vocabulary where spellings && ${spellings}::text[] group by word`)
}

/** Number of documents that match each condition, up to `max`. */
export async function countMatches(db: ReadingDb, tsqueries: readonly string[], max: number): Promise<number[]> {
  // Planned without its limit, which would make reading the whole table look cheap.
  const rows = await db.many<{ documents: number }>(sql`
    select (
      with found as materialized (select from podcast_directory.documents where terms @@ requested.tsquery::tsquery)
      select count(*) from (select from found limit ${max}) as first)::integer as documents
    from unnest(${tsqueries}::text[]) with ordinality as requested(tsquery, nth) order by nth`)
  return rows.map(({ documents }) => documents)
}

/** Words without spellings, with their tenant's number. */
export function toLearn(
  db: ReadingDb,
  limit: number,
): Promise<{ readonly tenant: string; readonly word: string; readonly number: number }[]> {
  return db.many(sql`
    select v.tenant, v.word, t.number from podcast_directory.vocabulary v
      join podcast_directory.tenants t on t.tenant = v.tenant
    where v.to_learn and v.spellings is null limit ${limit}`)
}

export interface WordSpellings {
  readonly tenant: string
  readonly word: string
  readonly spellings: readonly string[]
}

export async function learn(db: Db, words: readonly WordSpellings[]): Promise<void> {
  await db.run(sql`
    update podcast_directory.vocabulary v set spellings = learnt.spellings
    from jsonb_to_recordset(${JSON.stringify(words)}) as learnt(tenant text, word text, spellings text[])
    where v.tenant = learnt.tenant and v.word = learnt.word`)
}

export async function hasDictionary(db: ReadingDb): Promise<boolean> {
  return (
    (await db.maybe(sql`select 1 from podcast_directory.vocabulary where tenant = ${dictionaryTenant} limit 1`)) !==
    undefined
  )
}

export async function addDictionary(db: Db, words: readonly Omit<WordSpellings, 'tenant'>[]): Promise<void> {
  await db.run(sql`
    insert into podcast_directory.vocabulary (tenant, word, documents, titles, spellings)
    select ${dictionaryTenant}, word, 0, 0, spellings
    from jsonb_to_recordset(${JSON.stringify(words)}) as d(word text, spellings text[])
    on conflict do nothing`)
}

/** Selects a row if the dictionary or spellings are missing. */
export const anyToLearn = () => sql`
  select where not exists (select from podcast_directory.vocabulary where tenant = ${dictionaryTenant})
    or exists (select from podcast_directory.vocabulary where to_learn and spellings is null)`
