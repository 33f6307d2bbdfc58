import { extensions, named, Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeaders } from '../names.ts'

const { get } = keyed(keyHeaders[0])

const Table = named('Table', {
  id: Type.String(),
  name: Type.String(),
  language: Type.String(),
  grade: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  direction: Type.Optional(Type.String({ description: "'forward' tables cannot translate back." })),
})

export const tables = extensions({
  listTables: get('/tables', {
    summary: 'List the languages and grades that `table` can name.',
    query: Type.Object({ language: Type.Optional(Type.String({ description: 'Such as en or de.' })) }),
    replies: { 200: named('TableList', { tables: Type.Array(Table) }) },
  }),
})
