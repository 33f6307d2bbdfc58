import { createHash } from 'node:crypto'
import type { Sql } from 'sql-template-tag'

/** A statement as sent to the server. */
export interface Statement {
  readonly text: string
  readonly values: unknown[]
  readonly name?: string
}

// Statement names are hashes of the text: the same on every node, so that a connection pooler can share them.
const names = new Map<string, string>()
const namesLimit = 5_000

const varyingStatements = new WeakSet<Sql>()

/** Marks a statement whose text depends on the request, such as a filter: it is not prepared. */
export function varying(statement: Sql): Sql {
  varyingStatements.add(statement)
  return statement
}

export function prepared(statement: Sql): Statement {
  const { text, values } = statement
  if (varyingStatements.has(statement)) return { text, values }
  let name = names.get(text)
  if (name === undefined) {
    if (names.size >= namesLimit) return { text, values } // generated texts must not fill the server's memory
    name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
    names.set(text, name)
  }
  return { name, text, values }
}
