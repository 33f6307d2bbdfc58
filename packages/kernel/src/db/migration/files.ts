import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

export interface Migrations {
  /** Also the PostgreSQL schema, with `_` for `-`. */
  readonly owner: string
  readonly directory: URL
}

export interface Applied {
  readonly owner: string
  readonly name: string
}

export interface Migration extends Applied {
  readonly text: string
}

export const schemaOf = (owner: string) => owner.replaceAll('-', '_')

/** Reads the files of all owners, in the order of application. */
export async function readMigrations(all: readonly Migrations[]): Promise<Migration[]> {
  const migrations: Migration[] = []
  for (const { owner, directory } of all) {
    for (const name of (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort()) {
      migrations.push({ owner, name, text: await readFile(new URL(name, directory), 'utf8') })
    }
  }
  return migrations
}

/** `*.expand.sql` and `*.expand.concurrent.sql` only add: nodes of the previous version still run and start. */
export const isExpanding = (name: string) => /\.expand(\.concurrent)?\.sql$/.test(name)

/** `*.concurrent.sql` runs statement by statement, outside a transaction. */
export const isConcurrent = (name: string) => name.endsWith('.concurrent.sql')

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** A statement that must or should run outside a transaction. */
export interface ConcurrentStatement {
  readonly text: string
  /** The index that it builds, qualified with its schema. */
  readonly index?: string
}

const name = '[a-z_][a-z0-9_]*'
const forms = [
  new RegExp(`^create (?:unique )?index concurrently (?<index>${name}) on (?<schema>${name})\\.${name}\\s*[( ]`, 'i'),
  new RegExp(`^drop index concurrently if exists ${name}\\.${name}$`, 'i'),
  new RegExp(`^alter table ${name}\\.${name} validate constraint ${name}$`, 'i'),
]

/**
 * Splits a `*.concurrent.sql` into statements. Accepts only statements that can be repeated after a crash, with
 * qualified names: no transaction could set a search path.
 */
export function concurrentStatements({ owner, name, text }: Migration): ConcurrentStatement[] {
  return split(text).map((statement) => {
    const match = forms.map((form) => form.exec(statement)).find((result) => result !== null)
    if (!match)
      throw new Error(
        `${owner}/${name}: a concurrent migration may contain \`create index concurrently NAME on SCHEMA.TABLE …\`, ` +
          '`drop index concurrently if exists SCHEMA.NAME` and `alter table SCHEMA.TABLE validate constraint NAME`, ' +
          `not: ${statement}`,
      )
    const { index, schema } = match.groups ?? {}
    return index === undefined ? { text: statement } : { text: statement, index: `${schema}.${index}` }
  })
}

const asideOrEnd = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|;/g

function split(text: string): string[] {
  const marked = text.replace(asideOrEnd, (part) => (part === ';' ? '\0' : /^(--|\/\*)/.test(part) ? ' ' : part))
  return marked
    .split('\0')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '')
}
