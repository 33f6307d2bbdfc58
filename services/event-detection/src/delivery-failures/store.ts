import { empty, type Page, type ReadingDb, readPage, sql } from '@icosa/kernel'
import { columns, type StoredEntry } from '../journal/store.ts'

export interface FailureQuery {
  readonly modelName?: string | undefined
  readonly keyValue?: string | undefined
  readonly maxResults: number
  readonly nextToken?: string | undefined
}

/** Failures in the journal, newest first. */
export function list(
  db: ReadingDb,
  tenant: string,
  { modelName, keyValue, maxResults, nextToken }: FailureQuery,
): Promise<Page<StoredEntry>> {
  return readPage<StoredEntry>(
    {
      limit: maxResults,
      token: nextToken,
      query: ['delivery failures', tenant, modelName, keyValue],
      at: 'query/nextToken',
    },
    ({ xact, number }) => [xact, number],
    (after, limit) =>
      db.many(sql`
        select ${columns} from event_detection.journal where tenant = ${tenant} and kind = 'failure'
          ${modelName === undefined ? empty : sql`and model_name = ${modelName}`}
          ${keyValue === undefined ? empty : sql`and key = ${keyValue}`}
          ${after ? sql`and (journal.xact, journal.number) < (${after[0]}::xid8, ${after[1]}::bigint)` : empty}
        order by journal.xact desc, journal.number desc limit ${limit}`),
  )
}
