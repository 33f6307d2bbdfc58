import { type SealedColumn, sealingContext } from '@icosa/kernel'

export const passwords: SealedColumn = {
  table: 'sql_databases.databases',
  column: 'password',
  context: 'sql-databases/{id}',
}

/** Binds the password of a database to its row. */
export const passwordPlace = (id: string) => sealingContext(passwords, { id })
