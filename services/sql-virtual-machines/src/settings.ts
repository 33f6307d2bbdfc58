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

/** What an operator decides about the machines of a node. */
export const settings = group({
  offersRoom: setting('ICOSA_MACHINES', boolean, {
    default: 'false',
    development: 'true',
    meaning:
      'Whether this node runs machines: PostgreSQL instances in `ICOSA_MACHINES_FOLDER`, of which each process has its own.',
  }),
  folder: setting('ICOSA_MACHINES_FOLDER', text({ is: 'a folder', example: '/var/lib/icosa-machines' }), {
    required: { where: 'ICOSA_MACHINES', is: 'true' },
    otherwise: 'the folder `machines` of the data folder',
    meaning: 'Where this node keeps its machines. It must outlive the process and be on the same disk after a restart.',
  }),
  memoryBytes: setting(
    'ICOSA_MACHINES_MEMORY_MB',
    wholeNumber({ from: 64, to: 100_000_000, unit: 'megabytes', times: 1024 ** 2 }),
    { default: '4096', meaning: 'How much memory the machines of this node have together.' },
  ),
  diskBytes: setting(
    'ICOSA_MACHINES_DISK_GB',
    wholeNumber({ from: 1, to: 1_000_000, unit: 'gigabytes', times: 1024 ** 3 }),
    { default: '100', meaning: 'How much room on its disk the machines of this node have together.' },
  ),
  address: setting('ICOSA_MACHINES_ADDRESS', address, {
    default: '127.0.0.1',
    meaning: 'Where callers, and the machines of other nodes, reach those of this node.',
  }),
  listen: setting('ICOSA_MACHINES_LISTEN', address, {
    otherwise: '`ICOSA_MACHINES_ADDRESS`',
    meaning:
      'The address of this machine on which machines and listeners accept connections, where others reach them by another one (NAT); `0.0.0.0` for all.',
  }),
  ports: setting('ICOSA_MACHINES_PORTS', portRange, {
    default: '15400-16399',
    meaning: 'The ports of machines and listeners. A port is given away once in a cell, so nodes may have the same.',
  }),
  account: setting('ICOSA_MACHINES_USER', text({ is: 'the name of a user account', example: 'postgres' }), {
    default: 'postgres',
    meaning: 'As whom machines run on a node that runs as root: PostgreSQL refuses to.',
  }),
  binaries: setting(
    'ICOSA_MACHINES_BINARIES',
    text({ is: "the folder of PostgreSQL's programs", example: '/usr/lib/postgresql/15/bin' }),
    {
      otherwise: "Debian's PostgreSQL 15",
      meaning: 'Where `postgres` and `initdb` are, of the version for which pg_auto_failover is installed.',
    },
  ),
})

export type Values = ValuesOf<typeof settings>

export interface MachinesSettings extends Omit<Values, 'binaries' | 'folder' | 'listen'> {
  readonly binaries?: string | undefined
  readonly listen?: string | undefined
  /** Where a node keeps its machines. */
  readonly folder: string
}

/** Where sockets are bound: an IPv6 address has no brackets there. */
export const listenAddressOf = ({ listen, address: reached }: Pick<MachinesSettings, 'listen' | 'address'>): string =>
  (listen ?? reached).replace(/^\[(.*)\]$/, '$1')
