import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Facts } from '@icosa/module'
import { boolean, group, matching, setting, text, url, type ValuesOf, wholeNumber } from '@icosa/settings'

const minutes = wholeNumber({ from: 1, to: 100_000, unit: 'minutes', times: 60_000 })

/** What an operator decides about SQL databases. */
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
      meaning: 'Where callers reach the SQL host, if that differs from where the workers do.',
    },
  ),
  programs: setting('ICOSA_SQL_PROGRAMS', text({ is: 'a folder', example: '/usr/lib/postgresql/18/bin' }), {
    otherwise: 'the PATH, and the folders that packages of PostgreSQL use',
    meaning:
      'Where `pg_dump` and `pg_restore` are, with which databases are backed up and restored. They must be as new as the SQL host.',
  }),
  archiveUrl: setting(
    'ICOSA_SQL_ARCHIVE_URL',
    url({
      schemes: ['postgres:', 'postgresql:'],
      is: 'the address of the SQL host',
      example: 'postgres://icosa_archive:password@sql.example.com:5432/postgres',
    }),
    {
      otherwise: 'nothing is archived, and `EnableContinuousBackup` of backup is refused',
      secret: true,
      meaning:
        'The SQL host as a role with REPLICATION, which may connect to the database that it names: with it a worker receives the log of the host, so that databases can be restored to any time.',
    },
  ),
  baseEveryMs: setting(
    'ICOSA_SQL_ARCHIVE_COPY_HOURS',
    wholeNumber({ from: 1, to: 840, unit: 'hours', times: 3_600_000 }),
    {
      default: '24',
      meaning:
        'How often the SQL host is copied for its archive. A restore replays the log since the last copy before the time that was asked for.',
    },
  ),
  sharedHost: setting('ICOSA_SQL_SHARED_HOST', boolean, {
    default: 'false',
    development: 'true',
    meaning:
      "Whether tenants' databases may be created on the PostgreSQL that keeps the platform's own rows; a node with this service does not start on it otherwise.",
  }),
  tenant: {
    connections: setting('ICOSA_SQL_TENANT_CONNECTIONS', wholeNumber({ from: 1, to: 10_000 }), {
      default: '100',
      meaning:
        'How many connections the databases of one tenant share, and how many databases it may have, since each needs one.',
    }),
    tempBytes: setting(
      'ICOSA_SQL_TENANT_TEMP_MB',
      wholeNumber({ from: 1, to: 100_000_000, unit: 'megabytes', times: 1024 ** 2 }),
      {
        default: '10240',
        meaning: "How large the temporary files of one tenant's sessions may be, where the role may limit them.",
      },
    ),
  },
  reservedConnections: setting('ICOSA_SQL_RESERVED_CONNECTIONS', wholeNumber({ to: 10_000 }), {
    default: '50',
    meaning: 'How many connections of the SQL host one tenant can never use, whatever its quota.',
  }),
  transactionMs: setting('ICOSA_SQL_TRANSACTION_MINUTES', minutes, {
    default: '240',
    meaning: "How long a transaction in a tenant's database may last.",
  }),
  idleInTransactionMs: setting('ICOSA_SQL_IDLE_MINUTES', minutes, {
    default: '10',
    meaning: "How long a transaction in a tenant's database may do nothing.",
  }),
})

export interface SqlSettings extends Partial<Optional>, Omit<ValuesOf<typeof settings>, keyof Optional> {
  readonly pool: {
    /** How many databases an elastic pool takes. */
    readonly members: number
  }
  /** Where copies of the SQL host are while a database is brought back out of them. */
  readonly recoveryFolder: string
  /** Where development mode has the server that it runs. */
  readonly serverPrograms?: (() => Promise<string>) | undefined
}

/** Without the address of a SQL host nothing is created. */
type Optional = Pick<ValuesOf<typeof settings>, 'adminUrl' | 'address' | 'programs' | 'archiveUrl'>

const folderIn = (parent: string) => join(parent, 'sql-recovery')

export const defaultSettings: SqlSettings = {
  ...settings.read({}),
  pool: { members: 100 },
  recoveryFolder: folderIn(tmpdir()),
}

export type Values = ValuesOf<typeof settings>

/** Where nothing else is said, tenants' databases are beside the platform's own; development mode's server is archived, too. */
export async function settled(values: Values, facts: Facts): Promise<SqlSettings> {
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
