import { clockTimeOf, dateOf, durationOf } from './dates.ts'
import { escaped } from './markup.ts'
import { ordinalOf } from './ordinals.ts'

/** Language and date format of a text. */
export interface Reading {
  readonly language: string
  readonly format: string | undefined
  readonly refuse: (reason: string) => never
}

type Interpretation = (text: string, reading: Reading) => string

/** Separates characters: the engine would group digits, and read commas. */
const characters: Interpretation = (text) =>
  `<say-as interpret-as="characters">${escaped([...text.replace(/\s/g, '')].join(' '))}</say-as>`

const digits =
  (allowed: RegExp, example: string): Interpretation =>
  (text, { refuse }) => {
    if (!allowed.test(text) || !/\d/.test(text)) refuse(`'${text}' is not made of digits, such as ${example}`)
    const groups = text.match(/\+|\d+/g) ?? []
    return `<say-as interpret-as="tts:digits">${groups.join(' ')}</say-as>`
  }

function wholeNumber(text: string, { refuse }: Reading): string {
  const [, significant] = /^0*(\d{1,15})$/.exec(text) ?? []
  return significant ?? refuse(`'${text}' is not a whole number of up to 15 digits, such as 42`)
}

const ordinal: Interpretation = (text, reading) =>
  ordinalOf(wholeNumber(text, reading), reading.language) ??
  reading.refuse(`an ordinal cannot be read in '${reading.language}', write it out`)

const time: Interpretation = (text, { language, refuse }) =>
  durationOf(text, language) ??
  clockTimeOf(text, language) ??
  refuse(`'${text}' is not a time, such as 1'21", 14:30 or 2:30pm`)

/** The engine's own phonemes, common to all languages. */
const beep: Interpretation = () => "[[b'i:p]] "

const interpretations: Readonly<Record<string, Interpretation>> = {
  characters,
  'spell-out': characters,
  cardinal: wholeNumber,
  number: wholeNumber,
  ordinal,
  digits: digits(/^[\d\s.-]+$/, '123456'),
  telephone: digits(/^\s*\+?[\d\s()./-]+$/, '+1 206 555 0101'),
  date: dateOf,
  time,
  expletive: beep,
}

/** Spells out a text for the engine, which supports few of these interpretations itself. */
export function sayAs(text: string, how: string, reading: Reading): string {
  const { format, refuse } = reading
  const interpretation =
    (Object.hasOwn(interpretations, how) ? interpretations[how] : undefined) ??
    refuse(`interpret-as must be one of ${Object.keys(interpretations).join(', ')}`)
  if (format !== undefined && how !== 'date') refuse('format is only for a date')
  return interpretation(text.trim(), reading)
}
