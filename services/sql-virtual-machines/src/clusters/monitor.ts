import pg from 'pg'

/** Address and password of a group's monitor. */
export interface MonitorAddress {
  readonly address: string
  readonly port: number
  readonly password: string
}

/** Connection string for pg_autoctl. */
export const monitorUri = ({ address, port, password }: MonitorAddress) =>
  `postgres://autoctl_node:${encodeURIComponent(password)}@${address}:${port}/pg_auto_failover?sslmode=require`

export interface Member {
  readonly host: string
  readonly port: number
  readonly reported: string
  readonly goal: string
}

/** States in which a machine accepts writes. */
const writable = new Set(['single', 'primary', 'wait_primary', 'join_primary', 'apply_settings', 'prepare_maintenance'])

export const isPrimary = ({ reported, goal }: Member) => writable.has(reported) && writable.has(goal)

export class Monitor {
  readonly #at: MonitorAddress
  #client: pg.Client | undefined

  constructor(at: MonitorAddress) {
    this.#at = at
  }

  async #query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const { address: host, port, password } = this.#at
    this.#client ??= await connect({ host, port, password, user: 'autoctl_node', database: 'pg_auto_failover' }, 5_000)
    try {
      return (await this.#client.query<Row>(text, values)).rows
    } catch (error) {
      await this.close()
      throw error
    }
  }

  members(): Promise<Member[]> {
    return this.#query<Member & pg.QueryResultRow>(`
      select nodehost as host, nodeport as port, current_group_state::text as reported, assigned_group_state::text as goal
      from pgautofailover.current_state('default') order by node_id`)
  }

  /** Planned failover. */
  async failOver(): Promise<void> {
    await this.#query("select pgautofailover.perform_failover('default', 0)")
  }

  async forget(host: string, port: number): Promise<void> {
    await this.#query('select pgautofailover.remove_node($1::text, $2::int, true)', [host, port])
  }

  async close(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => {})
  }
}

type Login = Required<Pick<pg.ClientConfig, 'host' | 'port' | 'user' | 'password' | 'database'>>

/** Connects to a PostgreSQL of a group. */
export async function connect(login: Login, queryMs: number): Promise<pg.Client> {
  const client = new pg.Client({
    ...login,
    ssl: { rejectUnauthorized: false }, // self-signed
    connectionTimeoutMillis: 3_000,
    query_timeout: queryMs,
    application_name: 'icosa',
  })
  client.on('error', () => {}) // the next query fails
  try {
    await client.connect()
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  return client
}
