import { group, oneOf, setting, text, type ValuesOf, wholeNumber } from '@icosa/settings'
import type { FleetLimits } from './instances/index.ts'

/** What an operator decides about functions. */
export const settings = group({
  sandbox: setting('ICOSA_FUNCTIONS_SANDBOX', oneOf('runsc', 'runc', 'crun', 'bwrap'), {
    default: 'runsc',
    meaning: 'The runtime in which functions run and sources are read. Those other than gVisor (`runsc`) stop less.',
  }),
  buildMs: setting(
    'ICOSA_FUNCTIONS_BUILD_SECONDS',
    wholeNumber({ from: 1, to: 3_600, unit: 'seconds', times: 1_000 }),
    { default: '300', meaning: 'How long a build may take.' },
  ),
  nodejs22: setting(
    'ICOSA_FUNCTIONS_NODEJS22',
    text({ is: 'the path of a program', example: '/opt/node22/bin/node' }),
    {
      otherwise: 'looked for in the usual places',
      meaning: 'Node 22, for functions of that runtime.',
    },
  ),
})

export type Values = ValuesOf<typeof settings>

export interface FunctionsSettings extends Omit<Values, 'nodejs22'> {
  readonly nodejs22?: string | undefined
  /** The address of the platform, as callers know it. */
  readonly baseUrl: string
  readonly region: string
  /** Where a node keeps what it builds and runs. */
  readonly folder: string
  /** How instances are kept, where a test wants it otherwise. */
  readonly limits?: Partial<FleetLimits>
}
