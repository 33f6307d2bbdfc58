import { group, setting, type ValuesOf, wholeNumber } from '@icosa/settings'

/** Settings of the example. */
export const settings = group({
  pressMs: setting('ICOSA_EXAMPLE_PRESS_MS', wholeNumber({ to: 60_000, unit: 'milliseconds' }), {
    default: '0',
    example: '250',
    meaning: 'How long the press needs for a note.',
  }),
})

export type ExampleSettings = ValuesOf<typeof settings>
