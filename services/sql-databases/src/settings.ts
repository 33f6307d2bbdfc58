import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Facts } from '@icosa/module'
import { boolean, group, matching, setting, text, url, type ValuesOf, wholeNumber } from '@icosa/settings'

const minutes = wholeNumber({ from: 1, to: 100_000, unit: 'minutes', times: 60_000 })

export const settings = group({
  adminUrl: setting(
    'ICOSA_SQL_URL',
    url({
      schemes: ['postgres:', 'postgresql:'],
      is: 'the address of a PostgreSQL 15 or newer',
      example: 'postgres://icosa:password@sql.example.com:5432/postgres',
    }),
    {
      required: { where: 'ICOSA_SQL_SHARED_HOST', is: 'false' },
      otherwise: '`DATABASE_URL`',
      secret: true,
      meaning: 'The SQL host: the PostgreSQL on which databases are created, as a role with CREATEDB and CREATEROLE.',
    },
  ),
  address: setting(
    'ICOSA_SQL_ADDRESS',
    matching(
      /^(\[[\da-fA-F:]+\]|[\w.-]+)(:\d{1,5})?$/,
      { is: 'a host and its port', example: 'db.example.com:5432' },
      ([all]) => all,
    ),
    {
      otherwise: 'the host and port of `ICOSA_SQL_URL`',
      meaning: 'The address of the SQL host for callers, if it differs from that for workers.',
    },
  ),
  programs: setting('ICOSA_SQL_PROGRAMS', text({ is: 'a folder', example: '/usr/lib/postgresql/18/bin' }), {
    otherwise: 'the PATH, and the folders that packages of PostgreSQL use',
    meaning:
      'The folder of `pg_dump` and `pg_restore`, which back up and restore databases. They must be at least as new as the SQL host.',
  }),
  archiveUrl: setting(
    'ICOSA_SQL_ARCHIVE_URL',
    url({
      schemes: ['postgres:', 'postgresql:'],
      is: 'the address of the SQL host',
      example: 'postgres://icosa_archive:password@sql.example.com:5432/postgres',
    }),
    {
      otherwise: 'no WAL is archived, and `EnableContinuousBackup` of backup is rejected',
      secret: true,
      meaning:
        'The SQL host, as a role with REPLICATION that may connect to this database. A worker receives the WAL of the host with it, for point-in-time recovery.',
    },
  ),
  baseEveryMs: setting(
    'ICOSA_SQL_ARCHIVE_COPY_HOURS',
    wholeNumber({ from: 1, to: 840, unit: 'hours', times: 3_600_000 }),
    {
      default: '24',
      meaning:
        'The interval of base backups of the SQL host. A restore replays the WAL since the last one before the requested time.',
    },
  ),
  retentionDays: setting('ICOSA_SQL_RETENTION_DAYS', wholeNumber({ to: 35, unit: 'days' }), {
    default: '7',
    development: '0',
    meaning:
      'How long every database can be restored to any time, also after its deletion, if `ICOSA_SQL_ARCHIVE_URL` is set; at most 7 days for Free and Basic. `0`: only databases with a continuous backup.',
  }),
  sharedHost: setting('ICOSA_SQL_SHARED_HOST', boolean, {
    default: 'false',
    development: 'true',
    meaning:
      "Whether tenants' databases may be created on the platform's own PostgreSQL; otherwise a node with this service does not start on it.",
  }),
  tenant: {
    connections: setting('ICOSA_SQL_TENANT_CONNECTIONS', wholeNumber({ from: 1, to: 10_000 }), {
      default: '100',
      meaning:
        'Maximum number of connections that the databases of one tenant share, and of its databases, since each needs one.',
    }),
    tempBytes: setting(
      'ICOSA_SQL_TENANT_TEMP_MB',
      wholeNumber({ from: 1, to: 100_000_000, unit: 'megabytes', times: 1024 ** 2 }),
      {
        default: '10240',
        meaning: "Maximum size of the temporary files of one tenant's sessions, if the role may limit them.",
      },
    ),
  },
  reservedConnections: setting('ICOSA_SQL_RESERVED_CONNECTIONS', wholeNumber({ to: 10_000 }), {
    default: '50',
    meaning: 'Number of connections of the SQL host that one tenant can never use, whatever its quota.',
  }),
  transactionMs: setting('ICOSA_SQL_TRANSACTION_MINUTES', minutes, {
    default: '240',
    meaning: "Maximum duration of a transaction in a tenant's database.",
  }),
  idleInTransactionMs: setting('ICOSA_SQL_IDLE_MINUTES', minutes, {
    default: '10',
    meaning: "Maximum idle time of a transaction in a tenant's database.",
  }),
})

export interface SqlSettings extends Partial<Optional>, Omit<ValuesOf<typeof settings>, keyof Optional> {
  readonly pool: {
    /** Maximum number of databases in an elastic pool. */
    readonly members: number
  }
  /** Temporary folder for copies of the SQL host during recovery. */
  readonly recoveryFolder: string
  /** The folder of development mode's own server. */
  readonly serverPrograms?: (() => Promise<string>) | undefined
}

/** Without the address of a SQL host, nothing can be created. */
type Optional = Pick<ValuesOf<typeof settings>, 'adminUrl' | 'address' | 'programs' | 'archiveUrl'>

const folderIn = (parent: string) => join(parent, 'sql-recovery')

export const defaultSettings: SqlSettings = {
  ...settings.read({}),
  pool: { members: 100 },
  recoveryFolder: folderIn(tmpdir()),
}

export type Values = ValuesOf<typeof settings>

/** By default, tenants' databases are on the same server as the platform's own; development mode also archives its server. */
export async function resolveSettings(values: Values, facts: Facts): Promise<SqlSettings> {
  const { databaseUrl, scratchDirectory, hasDevelopmentDatabase, developmentServer } = facts
  const isDevelopment = hasDevelopmentDatabase && values.sharedHost && values.adminUrl === undefined
  return {
    ...defaultSettings,
    ...values,
    adminUrl: values.adminUrl ?? (await databaseUrl),
    archiveUrl: values.archiveUrl ?? (isDevelopment ? await databaseUrl : undefined),
    recoveryFolder: folderIn(resolve(scratchDirectory)),
    serverPrograms: isDevelopment ? developmentServer : undefined,
  }
}
