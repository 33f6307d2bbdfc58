import { availableParallelism } from 'node:os'
import { group, setting, type ValuesOf, wholeNumber } from '@icosa/settings'

export const settings = group({
  trainers: setting('ICOSA_LANGUAGE_TRAINERS', wholeNumber({ from: 1, to: 64, unit: 'threads' }), {
    otherwise: 'half as many as the machine has cores, at least two',
    example: '4',
    meaning:
      'Number of training threads of a node, one version each. At least two, since one tenant never gets all of them.',
  }),
  predictors: setting('ICOSA_LANGUAGE_PREDICTORS', wholeNumber({ from: 1, to: 64, unit: 'threads' }), {
    otherwise: 'as many as the machine has cores, at least two',
    example: '4',
    meaning:
      'Number of prediction threads of a node, at least two, since one tenant never gets all of them. Each caches the models that it used recently.',
  }),
  modelsMb: setting('ICOSA_LANGUAGE_MODELS_MB', wholeNumber({ from: 16, to: 65_536, unit: 'megabytes' }), {
    default: '512',
    meaning: 'Memory for the models on a node; the least recently used are evicted.',
  }),
})

export interface LanguageSettings extends ValuesOf<typeof settings> {
  /** Public URL of the platform, with which endpoints begin. */
  readonly baseUrl: string
  /** Whether to serve a page to try it; only in development mode. */
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
