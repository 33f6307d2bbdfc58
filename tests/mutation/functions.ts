import pg from 'pg'
import { sqlMutants } from './sql.ts'

interface Definition {
  readonly name: string
  readonly text: string
}

const addressOf = (database: string) =>
  Object.assign(new URL(process.env.DATABASE_URL ?? ''), { pathname: `/${database}` }).href

async function inDatabase<T>(name: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(addressOf(name))
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Template databases, of which test databases are copies. */
const templates = () =>
  inDatabase('postgres', async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      "select datname from pg_database where datname like 'icosa\\_template\\_%' and datname not like '%\\_building'",
    )
    return rows.map(({ datname }) => datname)
  })

const definitionsIn = (template: string, names: readonly string[]) =>
  inDatabase(template, async (client) => {
    const { rows } = await client.query<Definition>(
      'select oid::regproc::text as name, pg_get_functiondef(oid) as text from pg_proc where oid::regproc::text = any($1)',
      [names],
    )
    return rows
  })

export interface FunctionMutant {
  readonly id: string
  readonly name: string
  readonly line: number
  /** Mutated line. */
  readonly replacement: string
  /** Puts the mutant, or the original function, into all templates. False if PostgreSQL rejects it. */
  install(): Promise<boolean>
  restore(): Promise<boolean>
}

/** Mutants of database functions that migrations created, each with one change. */
export async function functionMutants(names: readonly string[]): Promise<FunctionMutant[]> {
  const own = new Map<string, string[]>()
  const definitions = new Map<string, string>()
  for (const template of await templates())
    for (const { name, text } of await definitionsIn(template, names)) {
      definitions.set(name, text)
      own.set(name, [...(own.get(name) ?? []), template])
    }
  const put = async (name: string, text: string) => {
    try {
      for (const template of own.get(name) ?? []) await inDatabase(template, (client) => client.query(text))
      return true
    } catch {
      return false
    }
  }
  return [...definitions].flatMap(([name, original]) =>
    [...sqlMutants(original)].map(({ at, text }, index) => {
      const line = original.slice(0, at).split('\n').length
      const replacement = text.split('\n')[line - 1]?.trim() ?? ''
      const id = String(index)
      return { id, name, line, replacement, install: () => put(name, text), restore: () => put(name, original) }
    }),
  )
}
