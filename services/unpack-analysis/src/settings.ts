import type { RuntimeName } from '@icosa/sandbox'
import { group, oneOf, setting, type ValuesOf, wholeNumber } from '@icosa/settings'

export const settings = group({
  runtime: setting('ICOSA_UNPACK_RUNTIME', oneOf<RuntimeName>('runsc', 'runc', 'crun', 'bwrap'), {
    default: 'runsc',
    meaning: 'The sandbox in which samples are emulated. `runsc` isolates best; `bwrap` starts fastest.',
  }),
  emulateMs: setting('ICOSA_UNPACK_SECONDS', wholeNumber({ from: 1, to: 600, unit: 'seconds', times: 1_000 }), {
    default: '20',
    meaning: 'Maximum CPU time of the emulation of a sample; the maximum elapsed time is four times that.',
  }),
  ruleMs: setting('ICOSA_UNPACK_RULE_SECONDS', wholeNumber({ from: 1, to: 600, unit: 'seconds', times: 1_000 }), {
    default: '20',
    meaning: 'Maximum time of YARA rules for a file.',
  }),
  concurrency: setting('ICOSA_UNPACK_AT_ONCE', wholeNumber({ from: 1, to: 256 }), {
    otherwise: 'all processors but one, at least two',
    meaning:
      'Number of samples emulated concurrently on a node, at least two, so that one caller never uses all. Others are queued.',
  }),
  anonymous: setting('ICOSA_UNPACK_ANONYMOUS', oneOf('open', 'closed'), {
    default: 'open',
    meaning: 'Whether callers without a key are allowed, within the budgets below. `closed`: every caller needs a key.',
  }),
  cpuMs: setting(
    'ICOSA_UNPACK_HOURLY_CPU_SECONDS',
    wholeNumber({ from: 1, to: 1_000_000, unit: 'seconds', times: 1_000 }),
    {
      default: '600',
      meaning:
        'CPU time per hour and caller, over all nodes. A caller is an IPv4 address, an IPv6 /64, or a tenant with a key.',
    },
  ),
  bytes: setting(
    'ICOSA_UNPACK_HOURLY_MB',
    wholeNumber({ from: 30, to: 10_000_000, unit: 'megabytes', times: 2 ** 20 }),
    {
      default: '1000',
      meaning: 'Stored bytes per hour and caller. Uploads are kept for an hour.',
    },
  ),
  anonymousBytes: setting(
    'ICOSA_UNPACK_ANONYMOUS_HOURLY_MB',
    wholeNumber({ from: 30, to: 100_000_000, unit: 'megabytes', times: 2 ** 20 }),
    {
      default: '10000',
      meaning: 'Stored bytes per hour of all callers without a key together.',
    },
  ),
})

export type UnpackValues = ValuesOf<typeof settings>

export interface UnpackSettings extends UnpackValues {
  /** Folder of the sandbox. */
  readonly state: string
}
