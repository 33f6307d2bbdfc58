/** What an operator decides about SQL databases. */
export interface SqlSettings {
  /** The SQL host: PostgreSQL 15 or newer, as a role with CREATEDB and CREATEROLE. Without it nothing is created. */
  readonly adminUrl?: string | undefined
  /** Where callers reach the SQL host, if it is not where we do: `db.example.com:5432`. */
  readonly address?: string | undefined
  /** Whether the SQL host may be the PostgreSQL that keeps the platform's own rows. */
  readonly sharedHost: boolean
  /** What the databases of one tenant have together. */
  readonly tenant: {
    /** Connections; also how many databases there may be, since each needs one. */
    readonly connections: number
    /** Temporary files, in bytes. */
    readonly tempBytes: number
  }
  /** How many connections of the SQL host one tenant leaves to all others, however much it was given. */
  readonly reservedConnections: number
  /** How long a transaction may last, and how long one that does nothing. */
  readonly transactionMs: number
  readonly idleInTransactionMs: number
  readonly pool: {
    /** How many databases an elastic pool takes. */
    readonly members: number
    /** How many connections its databases share. */
    readonly connections: number
  }
}

const minute = 60_000

export const defaultSettings: SqlSettings = {
  sharedHost: false,
  tenant: { connections: 100, tempBytes: 10 * 1024 ** 3 },
  reservedConnections: 50,
  transactionMs: 240 * minute,
  idleInTransactionMs: 10 * minute,
  pool: { members: 100, connections: 100 },
}
