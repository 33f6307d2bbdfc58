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
    otherwise: 'all processors but one',
    meaning: 'How many samples are emulated at once on a node; others wait for their turn.',
  }),
})

export type UnpackValues = ValuesOf<typeof settings>

export interface UnpackSettings extends UnpackValues {
  /** Where the sandbox keeps what it needs. */
  readonly state: string
}
