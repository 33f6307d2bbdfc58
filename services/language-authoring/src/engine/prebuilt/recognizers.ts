import { createRequire } from 'node:module'
import type * as Suite from '@microsoft/recognizers-text-suite'
import { withFractions } from './fractions.ts'
import { absoluteOrdinals, positions } from './ordinals.ts'

export type ModelResult = ReturnType<typeof Suite.recognizeNumber>[number]

const require = createRequire(import.meta.url)
let loaded: typeof Suite | undefined

/** Loaded on first use: it compiles thousands of expressions. */
function suite(): typeof Suite {
  loaded ??= require('@microsoft/recognizers-text-suite') as typeof Suite
  return loaded
}

export interface Recognizer {
  type: string
  /** Whether it depends on the language. */
  spoken: boolean
  find(text: string, culture: string, reference: Date): ModelResult[]
}

/** Returns nothing for a language without this recognizer, which would throw. */
const spoken = (type: string, find: Recognizer['find']): Recognizer => {
  const missing = new Set<string>()
  return {
    type,
    spoken: true,
    find(text, culture, reference) {
      if (missing.has(culture)) return []
      try {
        return find(text, culture, reference)
      } catch (error) {
        if (!(error instanceof Error && error.message.includes('Could not find Model'))) throw error
        missing.add(culture)
        return []
      }
    },
  }
}

const languageIndependent = (type: string, find: Recognizer['find']): Recognizer => ({ type, spoken: false, find })

const ordinals = (text: string, culture: string) => suite().recognizeOrdinal(text, culture, undefined, false)
const times = (text: string, culture: string, reference: Date) =>
  suite().recognizeDateTime(text, culture, undefined, reference, false)

export const recognizers: ReadonlyMap<string, Recognizer> = new Map([
  ['number', spoken('builtin.number', (text, culture) => suite().recognizeNumber(text, culture, undefined, false))],
  ['ordinal', spoken('builtin.ordinal', (text, culture) => absoluteOrdinals(ordinals(text, culture)))],
  ['ordinalV2', spoken('builtin.ordinalV2', (text, culture) => positions(text, ordinals(text, culture)))],
  [
    'percentage',
    spoken('builtin.percentage', (text, culture) => suite().recognizePercentage(text, culture, undefined, false)),
  ],
  ['age', spoken('builtin.age', (text, culture) => suite().recognizeAge(text, culture, undefined, false))],
  ['money', spoken('builtin.currency', (text, culture) => suite().recognizeCurrency(text, culture, undefined, false))],
  [
    'dimension',
    spoken('builtin.dimension', (text, culture) => suite().recognizeDimension(text, culture, undefined, false)),
  ],
  [
    'temperature',
    spoken('builtin.temperature', (text, culture) => suite().recognizeTemperature(text, culture, undefined, false)),
  ],
  [
    'datetimeV2',
    spoken('builtin.datetimeV2', (text, culture, reference) =>
      withFractions(times(text, culture, reference), reference, (length) => times(length, culture, reference)[0]),
    ),
  ],
  ['email', languageIndependent('builtin.email', (text) => suite().recognizeEmail(text, 'en-us'))],
  ['url', languageIndependent('builtin.url', (text) => suite().recognizeURL(text, 'en-us'))],
  ['phonenumber', languageIndependent('builtin.phonenumber', (text) => suite().recognizePhoneNumber(text, 'en-us'))],
])

/** Prebuilt entities of the original that need lists of names, which are not available: they cannot be added, and find nothing. */
export const unsupportedPrebuilts: ReadonlySet<string> = new Set([
  'personName',
  'geographyV2',
  'geography',
  'keyPhrase',
  'encyclopedia',
])

const cultures: Readonly<Record<string, string>> = {
  en: 'en-us',
  zh: 'zh-cn',
  es: 'es-es',
  pt: 'pt-br',
  fr: 'fr-fr',
  ja: 'ja-jp',
}

/** Returns the recognizers' culture for that of an app; undefined if they do not support its language. */
export const recognizedCulture = (culture: string): string | undefined =>
  cultures[culture.toLowerCase().split('-')[0] ?? '']
