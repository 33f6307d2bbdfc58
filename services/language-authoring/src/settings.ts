import { availableParallelism } from 'node:os'
import { group, setting, type ValuesOf, wholeNumber } from '@icosa/settings'

/** What an operator decides about language understanding. */
export const settings = group({
  trainers: setting('ICOSA_LANGUAGE_TRAINERS', wholeNumber({ from: 1, to: 64, unit: 'threads' }), {
    otherwise: 'half as many as the machine has cores, at least two',
    example: '4',
    meaning:
      'How many versions a node trains at once, each in a thread of its own. At least two: one tenant never has all of them.',
  }),
  predictors: setting('ICOSA_LANGUAGE_PREDICTORS', wholeNumber({ from: 1, to: 64, unit: 'threads' }), {
    otherwise: 'as many as the machine has cores, at least two',
    example: '4',
    meaning:
      'How many threads of a node answer questions, at least two: one tenant never has all of them. Each keeps the models that it was asked for lately.',
  }),
  modelsMb: setting('ICOSA_LANGUAGE_MODELS_MB', wholeNumber({ from: 16, to: 65_536, unit: 'megabytes' }), {
    default: '512',
    meaning: 'How much memory the models on a node may take; those that were not used for longest make room.',
  }),
})

export interface LanguageSettings extends ValuesOf<typeof settings> {
  /** Under which callers reach the platform: endpoints begin with it. */
  readonly baseUrl: string
  /** Whether there is a page to try it on: in development mode. */
  readonly hasPage: boolean
}

export const defaultSettings: LanguageSettings = {
  ...settings.read({}),
  baseUrl: 'http://localhost:8080',
  hasPage: false,
}

export const trainersOf = ({ trainers }: LanguageSettings): number =>
  Math.max(2, trainers ?? Math.floor(availableParallelism() / 2))

export const predictorsOf = ({ predictors }: LanguageSettings): number =>
  Math.max(2, predictors ?? availableParallelism())
