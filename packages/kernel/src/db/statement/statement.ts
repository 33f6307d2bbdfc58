import { createHash } from 'node:crypto'
import type { Sql } from 'sql-template-tag'

/** A statement as it goes to the server. */
export interface Statement {
  readonly text: string
  readonly values: unknown[]
  readonly name?: string
}

// A statement's name is a hash of its text: the same on every node, so a connection pooler can share it.
const names = new Map<string, string>()
const namesLimit = 5_000

const varyingStatements = new WeakSet<Sql>()

/** A statement whose text depends on what a caller sent, such as a filter: the server is not asked to remember it. */
export function varying(statement: Sql): Sql {
  varyingStatements.add(statement)
  return statement
}

export function prepared(statement: Sql): Statement {
  const { text, values } = statement
  if (varyingStatements.has(statement)) return { text, values }
  let name = names.get(text)
  if (name === undefined) {
    if (names.size >= namesLimit) return { text, values } // texts made on the fly must not fill the server
    name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
    names.set(text, name)
  }
  return { name, text, values }
}
