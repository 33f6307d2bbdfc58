import { boolean, group, matching, setting, text, type ValuesOf, wholeNumber } from '@icosa/settings'

const address = matching(
  /^(\[[\da-fA-F:]+\]|[\w.-]+)$/,
  { is: 'a host name or an address', example: 'db1.example.com' },
  ([all]) => all,
)

const portRange = matching(
  /^(\d{4,5})-(\d{4,5})$/,
  { is: 'the first and the last port', example: '15400-16399' },
  ([, first, last]) => ({ first: Number(first), last: Number(last) }),
)

export const settings = group({
  offersRoom: setting('ICOSA_MACHINES', boolean, {
    default: 'false',
    development: 'true',
    meaning: 'Whether this node runs machines: PostgreSQL instances in its own `ICOSA_MACHINES_FOLDER`.',
  }),
  folder: setting('ICOSA_MACHINES_FOLDER', text({ is: 'a folder', example: '/var/lib/icosa-machines' }), {
    required: { where: 'ICOSA_MACHINES', is: 'true' },
    otherwise: 'the folder `machines` of the data folder',
    meaning: 'The folder of the machines of this node. It must persist across restarts.',
  }),
  memoryBytes: setting(
    'ICOSA_MACHINES_MEMORY_MB',
    wholeNumber({ from: 64, to: 100_000_000, unit: 'megabytes', times: 1024 ** 2 }),
    { default: '4096', meaning: 'Total memory of the machines of this node.' },
  ),
  diskBytes: setting(
    'ICOSA_MACHINES_DISK_GB',
    wholeNumber({ from: 1, to: 1_000_000, unit: 'gigabytes', times: 1024 ** 3 }),
    { default: '100', meaning: 'Total disk space of the machines of this node.' },
  ),
  address: setting('ICOSA_MACHINES_ADDRESS', address, {
    default: '127.0.0.1',
    meaning: 'The address of the machines of this node, for callers and for machines of other nodes.',
  }),
  listen: setting('ICOSA_MACHINES_LISTEN', address, {
    otherwise: '`ICOSA_MACHINES_ADDRESS`',
    meaning:
      'The bind address of machines and listeners, if it differs from the one for others (NAT); `0.0.0.0` for all.',
  }),
  ports: setting('ICOSA_MACHINES_PORTS', portRange, {
    default: '15400-16399',
    meaning: 'The ports of machines and listeners. A port is allocated once in a cell, so nodes may share a range.',
  }),
  account: setting('ICOSA_MACHINES_USER', text({ is: 'the name of a user account', example: 'postgres' }), {
    default: 'postgres',
    meaning: 'The account that runs machines on a node that runs as root, which PostgreSQL refuses.',
  }),
  binaries: setting(
    'ICOSA_MACHINES_BINARIES',
    text({ is: "the folder of PostgreSQL's programs", example: '/usr/lib/postgresql/15/bin' }),
    {
      otherwise: "Debian's PostgreSQL 15",
      meaning: 'The folder of `postgres` and `initdb`, in the version for which pg_auto_failover is installed.',
    },
  ),
})

export type Values = ValuesOf<typeof settings>

export interface MachinesSettings extends Omit<Values, 'binaries' | 'folder' | 'listen'> {
  readonly binaries?: string | undefined
  readonly listen?: string | undefined
  /** The folder of a node's machines. */
  readonly folder: string
}

/** The bind address: without the brackets of an IPv6 address. */
export const listenAddressOf = ({
  listen,
  address: publicAddress,
}: Pick<MachinesSettings, 'listen' | 'address'>): string => (listen ?? publicAddress).replace(/^\[(.*)\]$/, '$1')
