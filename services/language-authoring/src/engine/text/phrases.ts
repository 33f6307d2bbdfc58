import { normalize, tokenize, withoutDiacritics } from './tokens.ts'

/** Unit of comparison: a word, or a character of a script without spaces. */
interface Unit {
  normal: string
  start: number
  end: number
}

interface Node<Value> {
  next: Map<string, Node<Value>>
  values: Value[]
}

export interface PhraseHit<Value> {
  start: number
  end: number
  value: Value
}

export interface TextRules {
  culture: string
  normalizeDiacritics: boolean
  normalizePunctuation: boolean
}

const unspacedCharacter =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const punctuation = /^[\p{P}\p{S}]$/u

export function unitsOf(text: string, rules: TextRules): Unit[] {
  const units: Unit[] = []
  for (const token of tokenize(text, rules.culture)) {
    if (rules.normalizePunctuation && punctuation.test(token.text)) continue
    if (!unspacedCharacter.test(token.text))
      units.push({ normal: folded(token.text, rules), start: token.start, end: token.end })
    else {
      let at = token.start
      for (const character of token.text) {
        units.push({ normal: folded(character, rules), start: at, end: at + character.length })
        at += character.length
      }
    }
  }
  return units
}

function folded(text: string, rules: TextRules): string {
  const normal = normalize(text)
  return rules.normalizeDiacritics ? withoutDiacritics(normal) : normal
}

/** A trie that finds phrases as whole words, ignoring case; at each position only the longest. */
export class Phrases<Value> {
  readonly #root: Node<Value> = { next: new Map(), values: [] }
  readonly #rules: TextRules
  size = 0

  constructor(rules: TextRules) {
    this.#rules = rules
  }

  add(phrase: string, value: Value): void {
    const units = unitsOf(phrase, this.#rules)
    if (units.length === 0) return
    let node = this.#root
    for (const { normal } of units) {
      let next = node.next.get(normal)
      if (!next) {
        next = { next: new Map(), values: [] }
        node.next.set(normal, next)
      }
      node = next
    }
    node.values.push(value)
    this.size++
  }

  find(units: readonly Unit[]): PhraseHit<Value>[] {
    const hits: PhraseHit<Value>[] = []
    if (this.size === 0) return hits
    for (let i = 0; i < units.length; i++) {
      let node: Node<Value> | undefined = this.#root
      let longest: PhraseHit<Value>[] = []
      for (let j = i; j < units.length; j++) {
        node = node.next.get(units[j]?.normal ?? '')
        if (!node) break
        const start = units[i]?.start ?? 0
        const end = units[j]?.end ?? 0
        if (node.values.length > 0) longest = node.values.map((value) => ({ start, end, value }))
      }
      hits.push(...longest)
    }
    return hits
  }
}
