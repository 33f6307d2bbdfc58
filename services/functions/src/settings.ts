import { group, matching, oneOf, setting, text, url, type ValuesOf, wholeNumber } from '@icosa/settings'
import type { FleetLimits } from './instances/index.ts'

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
  registry: setting(
    'ICOSA_FUNCTIONS_REGISTRY',
    url({ schemes: ['http:', 'https:'], is: 'the address of an npm registry', example: 'https://npm.example.com/' }),
    {
      otherwise: 'packages are not fetched: sources must include node_modules',
      meaning:
        'The registry from which builds fetch packages of package-lock.json. Allow a private address with `ICOSA_FETCH_ALLOW`.',
    },
  ),
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

export interface FunctionsSettings extends Omit<Values, 'callsPerSecond' | 'domain' | 'nodejs22' | 'registry'> {
  /** Domain of the hosts of functions. Without one, functions are sandboxed paths of the platform. */
  readonly domain?: string | undefined
  readonly callsPerSecond?: number | undefined
  readonly registry?: string | undefined
  readonly nodejs22?: string | undefined
  /** Public URL of the platform. */
  readonly baseUrl: string
  readonly region: string
  /** Working folder of builds and instances. */
  readonly folder: string
  /** For tests. */
  readonly limits?: Partial<FleetLimits>
}
