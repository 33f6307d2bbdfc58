/** What the text of a setting can be. */
export interface Kind<T> {
  /** In words, as in "set it to a whole number from 1 to 10". */
  readonly is: string
  /** Empty where the words are example enough; without one, the default of a setting is it. */
  readonly example?: string
  /** Throws for a text that is nothing of the kind: a `Refusal` where there is more to say. */
  read(text: string): T
}

/** Why a text cannot be used, beside what it should be; without repeating the text, which may be secret. */
export class Refusal extends Error {}

type Words = Pick<Kind<unknown>, 'is' | 'example'>

export function text(words: Words): Kind<string> {
  return { ...words, read: (given) => given }
}

/** A text of a certain form, and what it means. */
export function matching<T>(form: RegExp, words: Words, meaning: (found: RegExpExecArray) => T): Kind<T> {
  return {
    ...words,
    read(given) {
      const found = form.exec(given)
      if (!found) throw new Refusal()
      return meaning(found)
    },
  }
}

interface Numbers {
  readonly from?: number
  readonly to?: number
  /** What is counted, in the plural: `megabytes`. */
  readonly unit?: string
  /** What one of the unit is in the value that is read: 60_000 where minutes are written and milliseconds needed. */
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
    // With a getter, since most starts do not need the words, and the first of them loads the language.
    get is() {
      return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(values)
    },
    example: '',
    read(given) {
      const found = values.find((value) => value === given)
      if (found === undefined) throw new Refusal()
      return found
    },
  }
}

interface Address extends Words {
  /** `https:` and such. */
  readonly schemes: readonly string[]
  /** Whether it may name several, separated by commas. */
  readonly severalHosts?: boolean
}

/** The address as it was written, once it is known to be one. */
export function url({ schemes, severalHosts = false, ...words }: Address): Kind<string> {
  return {
    ...words,
    read(given) {
      const one = severalHosts ? given.replace(/^([^/]*\/\/(?:[^@/?]*@)?[^,/?#]*)(?:,[^,/?#]+)*/, '$1') : given
      if (!schemes.includes(URL.parse(one)?.protocol ?? '')) throw new Refusal()
      return given
    },
  }
}

/** Separated by commas; blanks around them do not matter. */
export function list<T>(of: Kind<T>): Kind<readonly T[]> {
  return {
    ...of,
    is: `${of.is}, or several separated by commas`,
    read: (given) => given.split(',').flatMap((item) => (item.trim() === '' ? [] : [of.read(item.trim())])),
  }
}

/** JSON; `check` throws a `Refusal`, or answers the value as what it was found to be. */
export function json<T>(words: Words, check: (value: unknown) => T): Kind<T> {
  return { ...words, read: (given) => check(parsed(given)) }
}

function parsed(given: string): unknown {
  try {
    return JSON.parse(given)
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

/** `100/200`: so many a second, and so many at once. */
export const rate: Kind<{ readonly perSecond: number; readonly burst: number }> = matching(
  /^([1-9]\d{0,8})(?:\/([1-9]\d{0,8}))?$/,
  { is: 'a rate per second and, after a slash, a burst', example: '100/200' },
  ([, perSecond, burst]) => ({ perSecond: Number(perSecond), burst: Number(burst ?? perSecond) }),
)
