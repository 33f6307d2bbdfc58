import { ordinalOf } from './ordinals.ts'
import type { Reading } from './say-as.ts'

type Field = 'year' | 'month' | 'day'

const fields: Readonly<Record<string, Field>> = { y: 'year', m: 'month', d: 'day' }
const formats = ['mdy', 'dmy', 'ymd', 'md', 'dm', 'ym', 'my', 'd', 'm', 'y', 'yyyymmdd']
const fieldFormats = { year: 'numeric', month: 'long', day: 'numeric' } as const

/** Formats a date in its language, with Western digits, which every voice reads. */
export function dateOf(text: string, { language, format, refuse }: Reading): string {
  const isIso = /^\d{4}-\d\d-\d\d$/.test(text)
  if (format === undefined && !isIso) refuse('it needs a format, such as mdy')
  if (format !== undefined && !formats.includes(format)) refuse(`format must be one of ${formats.join(', ')}`)
  if (!isSupported(language)) refuse(`a date cannot be read in '${language}', write it out`)
  const order = format === undefined || format === 'yyyymmdd' ? 'ymd' : format
  const numbers = format === 'yyyymmdd' ? (/^(\d{4})(\d\d)(\d\d)$/.exec(text)?.slice(1) ?? []) : text.split(/[-/.\s]+/)
  const names = [...order].map((letter) => fields[letter] as Field)
  const values = Object.fromEntries(names.map((name, index) => [name, numbers[index] ?? '']))
  const date = numbers.length === names.length ? realDate(values) : undefined
  if (!date) refuse(`'${text}' is not a date of the form ${order}`)
  const options = Object.fromEntries(names.map((name) => [name, fieldFormats[name]]))
  return new Intl.DateTimeFormat(language, { ...options, ...western, calendar: 'gregory' })
    .formatToParts(date)
    .map(({ type, value }) => {
      if (type === 'day') return dayOf(value, language)
      return type === 'literal' ? value.replace(/^\./, '') : value // the dot of an ordinal would end a sentence
    })
    .join('')
}

const western = { numberingSystem: 'latn', timeZone: 'UTC' } as const
const isSupported = (language: string) => Intl.DateTimeFormat.supportedLocalesOf(language).length > 0

/** English uses ordinals for days, French for the first of a month. */
function dayOf(day: string, language: string): string {
  const isOrdinal = language.startsWith('en') || (language.startsWith('fr') && day === '1')
  return isOrdinal ? (ordinalOf(day, language) ?? day) : day
}

/** Defaults to a leap year and a month of 31 days, so that any day is valid. */
function realDate({ year = '2000', month = '1', day = '1' }: Partial<Record<Field, string>>): Date | undefined {
  if (!/^\d{4}$/.test(year) || !/^\d{1,2}$/.test(month) || !/^\d{1,2}$/.test(day)) return undefined
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  const isReal = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
  return isReal && Number(year) >= 100 ? date : undefined // JavaScript interprets the year 99 as 1999
}

/** Formats minutes and seconds, such as `1'21"`. */
export function durationOf(text: string, language: string): string | undefined {
  const [, minutes, seconds] = /^(?:(\d{1,4})['′])?\s*(?:(\d{1,4})["″])?$/.exec(text) ?? []
  const parts = [inUnits(minutes, 'minute', language), inUnits(seconds, 'second', language)].filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : undefined
}

function inUnits(number: string | undefined, unit: string, language: string): string | undefined {
  if (number === undefined) return undefined
  const { numberingSystem } = western
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    numberingSystem,
    useGrouping: false,
  }).format(Number(number))
}

/** Formats a time of day, such as `14:30` or `2:30pm`; in English with AM and PM. */
export function clockTimeOf(text: string, language: string): string | undefined {
  const [, hours, minutes = '00', half] = /^(\d{1,2})(?::(\d\d))?\s*([ap]m)?$/i.exec(text) ?? []
  if (hours === undefined || (!half && !text.includes(':'))) return undefined
  const hour = Number(hours)
  if (Number(minutes) > 59 || (half ? hour < 1 || hour > 12 : hour > 23)) return undefined
  const afternoon = half?.toLowerCase() === 'pm' ? 12 : 0
  const of24 = half ? (hour % 12) + afternoon : hour
  if (!language.startsWith('en')) return `${of24}:${minutes}`
  return `${of24 % 12 || 12}${minutes === '00' ? '' : `:${minutes}`} ${of24 < 12 ? 'AM' : 'PM'}`
}
