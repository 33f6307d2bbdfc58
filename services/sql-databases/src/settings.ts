/** What an operator decides about SQL databases. */
export interface SqlSettings {
  /** The SQL host: PostgreSQL 15 or newer, as a role with CREATEDB and CREATEROLE. Without it nothing is created. */
  readonly adminUrl?: string | undefined
  /** Where callers reach the SQL host, if it is not where we do: `db.example.com:5432`. */
  readonly address?: string | undefined
  readonly pool: {
    /** How many databases an elastic pool takes. */
    readonly members: number
    /** How many connections its databases share. */
    readonly connections: number
  }
}

export const defaultSettings: SqlSettings = { pool: { members: 100, connections: 100 } }
