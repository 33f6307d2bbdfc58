import { type ReadingDb, sql } from '@icosa/kernel'

interface Row {
  readonly entry: { from?: string; to: string; messageId?: string; timerName?: string }
}

/** Transitions of an instance as text, in order. */
export async function transitionsOf(db: ReadingDb, key: string, modelName: string): Promise<string[]> {
  const rows = await db.many<Row>(sql`
    select entry from event_detection.journal
    where key = ${key} and model_name = ${modelName} and kind = 'transition' order by xact, number`)
  return rows.map(({ entry: { from, to, messageId, timerName } }) =>
    from === undefined ? to : `${from} -> ${to} by ${messageId ?? timerName}`,
  )
}

/** Failed deliveries, in order. */
export async function failuresOf(db: ReadingDb, tenant: string): Promise<object[]> {
  const rows = await db.many<{ entry: object }>(sql`
    select entry from event_detection.journal where tenant = ${tenant} and kind = 'failure' order by xact, number`)
  return rows.map(({ entry }) => entry)
}
