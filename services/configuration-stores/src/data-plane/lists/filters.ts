import { invalid } from '@icosa/kernel'

/** What a text must be: this, or something that begins with it, ends in it, or holds it. */
export interface Pattern {
  readonly kind: 'is' | 'begins' | 'ends' | 'holds'
  readonly text: string
}

/** Any of these fits. Undefined: everything does. */
export type Filter = readonly Pattern[] | undefined

const limit = 5

/** `abc`, `abc*`, `*abc`, `*abc*`, or up to five of them with commas. A backslash takes a character as it is. */
export function parseFilter(name: string, text: string | undefined): Filter {
  if (text === undefined || text === '*') return undefined
  const wrong = (message: string): never => invalid([{ at: `query/${name}`, message }])
  const patterns = split(text, (position) => wrong(`ends in the middle: ${name}(${position})`)).map((characters) => {
    const isStar = (index: number) => characters.at(index)?.isWild === true
    const stars = characters.filter(({ isWild }) => isWild).length
    const [first, last] = [isStar(0), isStar(-1)]
    if (stars > (first ? 1 : 0) + (last && characters.length > 1 ? 1 : 0))
      return wrong('can have * at the beginning and the end only: write \\* for the character')
    const rest = characters.filter(({ isWild }) => !isWild).map(({ character }) => character)
    return { kind: kindOf(first, last, characters.length), text: rest.join('') }
  })
  if (patterns.length > limit) wrong(`can have ${limit} parts, not ${patterns.length}`)
  return patterns.some(({ kind, text }) => kind !== 'is' && text === '') ? undefined : patterns
}

function kindOf(first: boolean, last: boolean, length: number): Pattern['kind'] {
  if (first && (last || length === 1)) return 'holds'
  return first ? 'ends' : last ? 'begins' : 'is'
}

interface Character {
  readonly character: string
  readonly isWild: boolean
}

function split(text: string, unfinished: (position: number) => never): Character[][] {
  const parts: Character[][] = [[]]
  const characters = [...text]
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] as string
    if (character === ',') parts.push([])
    else if (character !== '\\') parts.at(-1)?.push({ character, isWild: character === '*' })
    else parts.at(-1)?.push({ character: characters[++index] ?? unfinished(index), isWild: false })
  }
  return parts
}

/** A filter of labels: U+0000 and nothing at all stand for having none, which is kept as an empty text. */
export function parseLabelFilter(name: string, text: string | undefined): Filter {
  return parseFilter(name, text)?.map((pattern) => (isNone(pattern) ? { ...pattern, text: '' } : pattern))
}

const isNone = ({ kind, text }: Pattern) => kind === 'is' && text === '\0'

/** Tags that an item must have: a value, or null. */
export function parseTagFilters(all: readonly string[]): ReadonlyMap<string, string | null> {
  const given = all.filter((one) => one !== '')
  if (given.length > limit)
    invalid([{ at: 'query/tags', message: `can be given at most ${limit} times, not ${given.length}` }])
  return new Map(
    given.map((one) => {
      const at = one.indexOf('=')
      if (at < 1) invalid([{ at: 'query/tags', message: `must look like name=value, not '${one}'` }])
      const value = unescaped(one.slice(at + 1))
      return [unescaped(one.slice(0, at)), value === '\0' ? null : value]
    }),
  )
}

const unescaped = (text: string) => text.replaceAll(/\\(.)/gsu, '$1')

/** The first text that is behind all that begin with this one, by code point; undefined if nothing is. */
export function successor(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number)
  while (points.length > 0) {
    const last = points.pop() as number
    if (last === 0x10ffff) continue
    const next = last + 1 === 0xd800 ? 0xe000 : last + 1 // surrogates are no characters
    return String.fromCodePoint(...points, next)
  }
  return undefined
}
