import { invalid } from '@icosa/kernel'

/** A match for texts. */
export interface Pattern {
  readonly kind: 'equals' | 'startsWith' | 'endsWith' | 'contains'
  readonly text: string
}

/** Matches texts that match any of the patterns; undefined matches all. */
export type Filter = readonly Pattern[] | undefined

const maxParts = 5

/** `abc`, `abc*`, `*abc`, `*abc*`, or up to five of them, separated by commas. A backslash escapes a character. */
export function parseFilter(name: string, text: string | undefined): Filter {
  if (text === undefined || text === '*') return undefined
  const refuse = (message: string): never => invalid([{ at: `query/${name}`, message }])
  const patterns = split(text, (position) => refuse(`ends in an incomplete escape: ${name}(${position})`)).map(
    (characters) => {
      const isStar = (index: number) => characters.at(index)?.isWild === true
      const stars = characters.filter(({ isWild }) => isWild).length
      const [first, last] = [isStar(0), isStar(-1)]
      if (stars > (first ? 1 : 0) + (last && characters.length > 1 ? 1 : 0))
        return refuse('can have * only at the beginning and the end: write \\* for the character')
      const rest = characters.filter(({ isWild }) => !isWild).map(({ character }) => character)
      return { kind: kindOf(first, last, characters.length), text: rest.join('') }
    },
  )
  if (patterns.length > maxParts) refuse(`can have ${maxParts} parts, not ${patterns.length}`)
  return patterns.some(({ kind, text }) => kind !== 'equals' && text === '') ? undefined : patterns
}

function kindOf(first: boolean, last: boolean, length: number): Pattern['kind'] {
  if (first && (last || length === 1)) return 'contains'
  return first ? 'endsWith' : last ? 'startsWith' : 'equals'
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

/** A label filter. U+0000 and an empty text match key-values without a label, which is stored as an empty text. */
export function parseLabelFilter(name: string, text: string | undefined): Filter {
  return parseFilter(name, text)?.map((pattern) => (isNone(pattern) ? { ...pattern, text: '' } : pattern))
}

const isNone = ({ kind, text }: Pattern) => kind === 'equals' && text === '\0'

/** Tags that an item must have, with a value or null. */
export function parseTagFilters(all: readonly string[]): ReadonlyMap<string, string | null> {
  const filters = all.filter((text) => text !== '')
  if (filters.length > maxParts)
    invalid([{ at: 'query/tags', message: `can occur at most ${maxParts} times, not ${filters.length}` }])
  return new Map(
    filters.map((text) => {
      const at = text.indexOf('=')
      if (at < 1) invalid([{ at: 'query/tags', message: `must look like name=value, not '${text}'` }])
      const value = unescaped(text.slice(at + 1))
      return [unescaped(text.slice(0, at)), value === '\0' ? null : value]
    }),
  )
}

const unescaped = (text: string) => text.replaceAll(/\\(.)/gsu, '$1')

/** Returns the first text after all with this prefix, by code point; undefined if there is none. */
export function successor(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number)
  while (points.length > 0) {
    const last = points.pop() as number
    if (last === 0x10ffff) continue
    const next = last + 1 === 0xd800 ? 0xe000 : last + 1 // skips surrogates
    return String.fromCodePoint(...points, next)
  }
  return undefined
}
