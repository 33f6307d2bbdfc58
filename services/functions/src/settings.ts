import { group, matching, oneOf, setting, text, url, type ValuesOf, wholeNumber } from '@icosa/settings'
import type { FleetLimits } from './instances/index.ts'

/** What an operator decides about functions. */
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
    meaning: 'The runtime in which functions run and sources are read. Those other than gVisor (`runsc`) stop less.',
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
      otherwise: 'nothing is fetched: sources bring node_modules with them',
      meaning:
        'Where packages of a package-lock.json are fetched in a build. At an address that is not public, allow it by `ICOSA_FETCH_ALLOW`.',
    },
  ),
  callsPerSecond: setting('ICOSA_FUNCTIONS_CALLS_PER_SECOND', wholeNumber({ from: 1, to: 1_000_000, unit: 'calls' }), {
    otherwise: 'no limit',
    meaning:
      'How many calls a second to all functions of one tenant a node takes, whoever calls. Beyond that callers get 429 with `Retry-After`.',
  }),
  nodejs22: setting(
    'ICOSA_FUNCTIONS_NODEJS22',
    text({ is: 'the path of a program', example: '/opt/node22/bin/node' }),
    {
      otherwise: 'looked for in the usual places',
      meaning: 'Node 22, for functions of that runtime, where everybody on the machine may read it.',
    },
  ),
})

export type Values = ValuesOf<typeof settings>

export interface FunctionsSettings extends Omit<Values, 'callsPerSecond' | 'domain' | 'nodejs22' | 'registry'> {
  /** Each function has a host of its own below it. Without one, functions are paths of the platform, sandboxed. */
  readonly domain?: string | undefined
  readonly callsPerSecond?: number | undefined
  readonly registry?: string | undefined
  readonly nodejs22?: string | undefined
  /** The address of the platform, as callers know it. */
  readonly baseUrl: string
  readonly region: string
  /** Where a node keeps what it builds and runs. */
  readonly folder: string
  /** How instances are kept, where a test wants it otherwise. */
  readonly limits?: Partial<FleetLimits>
}
