import { placeOf, type SealedColumn } from '@icosa/kernel'

export const passwords: SealedColumn = {
  table: 'sql_databases.databases',
  column: 'password',
  place: 'sql-databases/{id}',
}

/** How the password of a database is bound to its row. */
export const passwordPlace = (id: string) => placeOf(passwords, { id })
