import { clockTimeOf, dateOf, durationOf } from './dates.ts'
import { escaped } from './markup.ts'
import { ordinalOf } from './ordinals.ts'

/** How a text is to be read: in which of the engine's languages, and in what form a date is written. */
export interface Reading {
  readonly language: string
  readonly format: string | undefined
  /** Refuses it, and says why. */
  readonly refuse: (why: string) => never
}

type Interpretation = (text: string, reading: Reading) => string

/** The engine would group digits, and say the comma between them: every character stands alone. */
const characters: Interpretation = (text) =>
  `<say-as interpret-as="characters">${escaped([...text.replace(/\s/g, '')].join(' '))}</say-as>`

const digits =
  (allowed: RegExp, such: string): Interpretation =>
  (text, { refuse }) => {
    if (!allowed.test(text) || !/\d/.test(text)) refuse(`'${text}' is not made of digits, such as ${such}`)
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

/** In the engine's own phonemes, which are the same in all of its languages. */
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

/** Writes for the engine what it would otherwise read in its own way: it knows few of these interpretations itself. */
export function sayAs(text: string, how: string, reading: Reading): string {
  const { format, refuse } = reading
  const known = Object.hasOwn(interpretations, how) ? interpretations[how] : undefined
  const interpretation = known ?? refuse(`interpret-as must be one of ${Object.keys(interpretations).join(', ')}`)
  if (format !== undefined && how !== 'date') refuse('format is only for a date')
  return interpretation(text.trim(), reading)
}
