import type pg from 'pg'
import { InvariantViolation } from '../assert.ts'

/** PostgreSQL answers COMMIT with ROLLBACK, and no error, if a statement of the transaction has failed. */
export function assertCommitted({ command }: Pick<pg.QueryResult, 'command'>, cause?: unknown): void {
  if (command !== 'COMMIT')
    throw new InvariantViolation('A failed statement was ignored: the transaction was rolled back.', { cause })
}
