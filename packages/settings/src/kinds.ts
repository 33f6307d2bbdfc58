/** Type of a setting's text. */
export interface Kind<T> {
  /** In words, as in "set it to a whole number from 1 to 10". */
  readonly is: string
  /** Empty if the words suffice; defaults to the setting's default. */
  readonly example?: string
  /** Throws for an invalid text: a `Refusal` if there is more to report. */
  read(text: string): T
}

/** Why a text is invalid, without repeating it, as it may be secret. */
export class Refusal extends Error {}

type Words = Pick<Kind<unknown>, 'is' | 'example'>

export function text(words: Words): Kind<string> {
  return { ...words, read: (value) => value }
}

/** A text of a certain form, and its meaning. */
export function matching<T>(form: RegExp, words: Words, meaning: (match: RegExpExecArray) => T): Kind<T> {
  return {
    ...words,
    read(value) {
      const match = form.exec(value)
      if (!match) throw new Refusal()
      return meaning(match)
    },
  }
}

interface Numbers {
  readonly from?: number
  readonly to?: number
  /** Plural of the unit: `megabytes`. */
  readonly unit?: string
  /** Factor from the written to the read value: 60_000 for minutes to milliseconds. */
  readonly times?: number
}

export function wholeNumber({ from = 0, to = 999_999_999, unit, times = 1 }: Numbers = {}): Kind<number> {
  const is = `a whole number${unit ? ` of ${unit}` : ''} from ${from} to ${to}`
  return matching(/^\d{1,15}$/, { is }, ([digits]) => {
    const number = Number(digits)
    if (number < from || number > to) throw new Refusal()
    return number * times
  })
}

export const boolean: Kind<boolean> = matching(
  /^(true|false)$/,
  { is: 'true or false', example: '' },
  ([word]) => word === 'true',
)

export function oneOf<const V extends string>(...values: readonly [V, ...V[]]): Kind<V> {
  return {
    // A getter, since most starts do not need the words, and the first use loads locale data.
    get is() {
      return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(values)
    },
    example: '',
    read(value) {
      const choice = values.find((option) => option === value)
      if (choice === undefined) throw new Refusal()
      return choice
    },
  }
}

interface Address extends Words {
  /** Such as `https:`. */
  readonly schemes: readonly string[]
  /** Whether it may contain several hosts, separated by commas. */
  readonly severalHosts?: boolean
  /** A placeholder that it must contain, such as `{name}`. */
  readonly placeholder?: string
}

/** Validates a URL, and returns it unchanged. */
export function url({ schemes, severalHosts = false, placeholder = '', ...words }: Address): Kind<string> {
  return {
    ...words,
    read(value) {
      if (!value.includes(placeholder)) throw new Refusal(`it lacks ${placeholder}`)
      const address = severalHosts ? value.replace(/^([^/]*\/\/(?:[^@/?]*@)?[^,/?#]*)(?:,[^,/?#]+)*/, '$1') : value
      if (!schemes.includes(URL.parse(address)?.protocol ?? '')) throw new Refusal()
      return value
    },
  }
}

/** Separated by commas; surrounding blanks are ignored. */
export function list<T>(of: Kind<T>): Kind<readonly T[]> {
  return {
    ...of,
    is: `${of.is}, or several separated by commas`,
    read: (value) => value.split(',').flatMap((item) => (item.trim() === '' ? [] : [of.read(item.trim())])),
  }
}

/** JSON; `check` throws a `Refusal`, or returns the typed value. */
export function json<T>(words: Words, check: (value: unknown) => T): Kind<T> {
  return { ...words, read: (value) => check(parsed(value)) }
}

function parsed(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch (error) {
    throw new Refusal('it is not JSON', { cause: error })
  }
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `90s`, `15m`, `1h`, `30d`, in milliseconds. */
export const duration: Kind<number> = matching(
  /^(-?\d+)(ms|s|m|h|d)$/,
  { is: 'a number with ms, s, m, h or d', example: '90s or 1h' },
  ([, amount, unit = '']) => Number(amount) * (units[unit] ?? 1),
)

/** `100/200`: requests per second, and burst. */
export const rate: Kind<{ readonly perSecond: number; readonly burst: number }> = matching(
  /^([1-9]\d{0,8})(?:\/([1-9]\d{0,8}))?$/,
  { is: 'a rate per second and, after a slash, a burst', example: '100/200' },
  ([, perSecond, burst]) => ({ perSecond: Number(perSecond), burst: Number(burst ?? perSecond) }),
)
