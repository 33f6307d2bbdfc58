import {
  boolean,
  group,
  json,
  list,
  matching,
  oneOf,
  Refusal,
  setting,
  text,
  url,
  type ValuesOf,
  wholeNumber,
} from '@icosa/settings'
import type { WorkerPool } from './build/pools.ts'
import type { FleetLimits } from './instances/index.ts'

const destinationForm =
  /^(?:public|none|(?:\*\.)?[A-Za-z\d_-]+(?:\.[A-Za-z\d_-]+)*|[\d.]+(?:\/\d{1,2})?|\[[\da-fA-F:.]+\](?:\/\d{1,3})?)(?::\d{1,5})?$/

const destination = matching(
  destinationForm,
  { is: 'public, a host name or an address range, with or without a port', example: 'public,10.1.0.0/16:5432' },
  ([text]) => text,
)

const policies = json(
  { is: 'a JSON object with lists of destinations', example: '{"warehouse":["10.1.0.0/16:5432"]}' },
  (value): Readonly<Record<string, readonly string[]>> => {
    const entries = Object.entries(Object(value))
    const isValid = entries.every(
      ([name, texts]) =>
        /^[a-z][a-z\d-]{0,62}$/.test(name) && Array.isArray(texts) && texts.every((text) => destinationForm.test(text)),
    )
    if (!isValid || Array.isArray(value)) throw new Refusal()
    return Object.fromEntries(entries) as Record<string, readonly string[]>
  },
)

const pools = json(
  { is: 'a JSON object with the limits of each pool', example: '{"large":{"seconds":1800,"concurrency":1}}' },
  (value): Readonly<Record<string, WorkerPool>> => {
    const isWhole = (number: unknown, max: number) =>
      Number.isInteger(number) && Number(number) > 0 && Number(number) <= max
    const isValid = Object.entries(Object(value)).every(
      ([name, pool]) =>
        /^[a-z][a-z\d-]{0,62}$/.test(name) &&
        Object.keys(Object(pool)).every((key) => key === 'seconds' || key === 'concurrency') &&
        isWhole(Object(pool).seconds, 86_400) &&
        isWhole(Object(pool).concurrency, 100),
    )
    if (!isValid || Array.isArray(value)) throw new Refusal()
    return Object.fromEntries(Object.entries(Object(value))) as Record<string, WorkerPool>
  },
)

export const settings = group({
  domain: setting(
    'ICOSA_FUNCTIONS_DOMAIN',
    matching(
      /^(?:(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?|none|auto)$/,
      { is: 'a domain, or none', example: 'fn.example.com' },
      ([domain]) => domain,
    ),
    {
      required: true,
      development: 'auto',
      meaning:
        'The domain whose subdomains are the hosts of functions, with a wildcard in DNS and in the certificate. `none`: functions are paths of the platform, their pages sandboxed and without cookies. `auto`: `fn.localhost` where this machine resolves names below `localhost`, otherwise `none` ([why](../adr/0076-user-content-on-its-own-origin.md)).',
    },
  ),
  sandbox: setting('ICOSA_FUNCTIONS_SANDBOX', oneOf('runsc', 'runc', 'crun', 'bwrap'), {
    default: 'runsc',
    meaning: 'The sandbox runtime of functions and builds. Others isolate less than gVisor (`runsc`).',
  }),
  buildMs: setting(
    'ICOSA_FUNCTIONS_BUILD_SECONDS',
    wholeNumber({ from: 1, to: 3_600, unit: 'seconds', times: 1_000 }),
    { default: '300', meaning: 'How long a build may take.' },
  ),
  workerPools: setting('ICOSA_FUNCTIONS_WORKER_POOLS', pools, {
    default: '{}',
    meaning:
      'Pools by name, which functions select as `workerPool`: how long a build may take in it, and how many run at a time on each node.',
  }),
  registry: setting(
    'ICOSA_FUNCTIONS_REGISTRY',
    url({ schemes: ['http:', 'https:'], is: 'the address of an npm registry', example: 'https://npm.example.com/' }),
    {
      otherwise: 'packages are not fetched: sources must include node_modules',
      meaning:
        'The registry from which builds fetch packages of package-lock.json. Allow a private address with `ICOSA_FETCH_ALLOW`.',
    },
  ),
  egressAllow: setting('ICOSA_FUNCTIONS_EGRESS_ALLOW', list(destination), {
    default: 'public',
    meaning:
      'Where functions may connect to: `public` for public addresses, host names at public addresses, or address ranges, each with an optional port. Only ranges open private addresses. `none`: nowhere.',
  }),
  egressDeny: setting('ICOSA_FUNCTIONS_EGRESS_DENY', list(destination), {
    default: 'public:25',
    meaning:
      'Where functions may not connect to, whatever else allows it. Deny an address range to exclude all of its names.',
  }),
  egressPolicies: setting('ICOSA_FUNCTIONS_EGRESS_POLICIES', policies, {
    default: '{}',
    meaning:
      'Egress policies by name, which functions select as `vpcConnector`: more destinations or, with `ALL_TRAFFIC`, the only ones.',
  }),
  egressConnections: setting('ICOSA_FUNCTIONS_EGRESS_CONNECTIONS', wholeNumber({ from: 1, to: 100_000 }), {
    default: '200',
    meaning: 'How many outbound connections the functions of one tenant may have open on a node.',
  }),
  egressBytesPerSecond: setting(
    'ICOSA_FUNCTIONS_EGRESS_MEGABYTES_PER_SECOND',
    wholeNumber({ from: 1, to: 100_000, unit: 'megabytes', times: 2 ** 20 }),
    { default: '16', meaning: 'Traffic of the functions of one tenant on a node, in both directions together.' },
  ),
  pythonIndex: setting(
    'ICOSA_FUNCTIONS_PYTHON_INDEX',
    url({
      schemes: ['http:', 'https:'],
      is: 'the address of a Python package index',
      example: 'https://pypi.org/simple',
    }),
    {
      otherwise: 'packages are not fetched: sources must include them',
      meaning:
        'The index from which builds install requirements.txt, with pip in the sandbox. A build reaches nothing else.',
    },
  ),
  buildScripts: setting('ICOSA_FUNCTIONS_BUILD_SCRIPTS', boolean, {
    default: 'false',
    meaning:
      'Whether builds run code, in the sandbox: the script `gcp-build` of package.json, and Python packages without a wheel.',
  }),
  callsPerSecond: setting('ICOSA_FUNCTIONS_CALLS_PER_SECOND', wholeNumber({ from: 1, to: 1_000_000, unit: 'calls' }), {
    otherwise: 'no limit',
    meaning: 'Rate limit of calls to all functions of one tenant on a node. Further calls get 429 with `Retry-After`.',
  }),
  nodejs22: setting(
    'ICOSA_FUNCTIONS_NODEJS22',
    text({ is: 'the path of a program', example: '/opt/node22/bin/node' }),
    {
      otherwise: 'searched in common locations',
      meaning: 'Node 22 for functions of that runtime, readable by all users of the machine.',
    },
  ),
})

export type Values = ValuesOf<typeof settings>

type Optional = 'workerPools' | 'buildScripts' | 'pythonIndex' | 'callsPerSecond' | 'domain' | 'nodejs22' | 'registry'
type Egress = Pick<Values, Extract<keyof Values, `egress${string}`>>

export interface FunctionsSettings extends Omit<Values, Optional | keyof Egress>, Partial<Egress> {
  /** Domain of the hosts of functions. Without one, functions are sandboxed paths of the platform. */
  readonly domain?: string | undefined
  readonly callsPerSecond?: number | undefined
  readonly registry?: string | undefined
  readonly pythonIndex?: string | undefined
  readonly buildScripts?: boolean | undefined
  readonly workerPools?: Readonly<Record<string, WorkerPool>> | undefined
  readonly nodejs22?: string | undefined
  /** Public URL of the platform. */
  readonly baseUrl: string
  readonly region: string
  /** Working folder of builds and instances. */
  readonly folder: string
  /** DNS servers of functions, for tests. Default: the system's. */
  readonly nameServers?: readonly string[] | undefined
  /** For tests. */
  readonly limits?: Partial<FleetLimits>
}
