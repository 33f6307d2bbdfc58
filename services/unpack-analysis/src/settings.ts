import type { RuntimeName } from '@icosa/sandbox'
import { group, oneOf, setting, type ValuesOf, wholeNumber } from '@icosa/settings'

/** What an operator decides about unpack analysis. */
export const settings = group({
  runtime: setting('ICOSA_UNPACK_RUNTIME', oneOf<RuntimeName>('runsc', 'runc', 'crun', 'bwrap'), {
    default: 'runsc',
    meaning: 'The sandbox in which samples are emulated. `runsc` stops most; `bwrap` starts fastest.',
  }),
  emulateMs: setting('ICOSA_UNPACK_SECONDS', wholeNumber({ from: 1, to: 600, unit: 'seconds', times: 1_000 }), {
    default: '20',
    meaning: 'How much time of a processor the emulation of a sample takes at most; by the clock, four times that.',
  }),
  ruleMs: setting('ICOSA_UNPACK_RULE_SECONDS', wholeNumber({ from: 1, to: 600, unit: 'seconds', times: 1_000 }), {
    default: '20',
    meaning: 'How long YARA rules may take for a file.',
  }),
  atOnce: setting('ICOSA_UNPACK_AT_ONCE', wholeNumber({ from: 1, to: 256 }), {
    otherwise: 'all processors but one, at least two',
    meaning:
      'How many samples are emulated at once on a node, at least two: one caller never has all places. Others wait for their turn.',
  }),
  anonymous: setting('ICOSA_UNPACK_ANONYMOUS', oneOf('open', 'closed'), {
    default: 'open',
    meaning: 'Whether callers without a key are served, within the budgets below. `closed`: every caller needs a key.',
  }),
  cpuMs: setting(
    'ICOSA_UNPACK_HOURLY_CPU_SECONDS',
    wholeNumber({ from: 1, to: 1_000_000, unit: 'seconds', times: 1_000 }),
    {
      default: '600',
      meaning:
        'How much time of processors a caller may use in an hour, over all nodes: an IPv4 address, a /64 of IPv6, or a tenant with a key.',
    },
  ),
  bytes: setting(
    'ICOSA_UNPACK_HOURLY_MB',
    wholeNumber({ from: 30, to: 10_000_000, unit: 'megabytes', times: 2 ** 20 }),
    {
      default: '1000',
      meaning: 'How many bytes a caller may have stored in an hour. Uploads are kept for an hour.',
    },
  ),
  anonymousBytes: setting(
    'ICOSA_UNPACK_ANONYMOUS_HOURLY_MB',
    wholeNumber({ from: 30, to: 100_000_000, unit: 'megabytes', times: 2 ** 20 }),
    {
      default: '10000',
      meaning: 'How many bytes all callers without a key together may have stored in an hour.',
    },
  ),
})

export type UnpackValues = ValuesOf<typeof settings>

export interface UnpackSettings extends UnpackValues {
  /** Where the sandbox keeps what it needs. */
  readonly state: string
}
