import { fold } from '../text/tokens.ts'

/** Syntax tree of a pattern: texts, entities, and groups of alternatives, which are optional in brackets. */
export type Part =
  | { kind: 'text'; folded: string }
  | { kind: 'entity'; name: string; role?: string }
  | { kind: 'group'; choices: Part[][]; optional: boolean }
  /** A word boundary; spaces and punctuation are skipped. */
  | { kind: 'gap' }
  /** The edge of a group, which may be inside a word. */
  | { kind: 'joint' }

export interface ParsedPattern {
  parts: Part[]
  atBegin: boolean
  atEnd: boolean
}

const maxDepth = 10

/** Throws an Error for an invalid pattern. */
export function parsePattern(pattern: string): ParsedPattern {
  const trimmed = pattern.trim()
  const atBegin = trimmed.startsWith('^')
  const atEnd = trimmed.length > 1 && /[\^$]$/.test(trimmed)
  const body = trimmed.slice(atBegin ? 1 : 0, atEnd ? -1 : undefined)
  const reader = new Reader(body)
  const choices = reader.choices(0)
  if (!reader.done) throw new Error(`the pattern has an unmatched ${reader.next}`)
  const parts: Part[] = choices.length === 1 ? (choices[0] ?? []) : [{ kind: 'group', choices, optional: false }]
  return { parts: [{ kind: 'gap' }, ...parts, { kind: 'gap' }], atBegin, atEnd }
}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get done(): boolean {
    return this.#at >= this.#text.length
  }

  get next(): string {
    return this.#text[this.#at] ?? ''
  }

  choices(depth: number): Part[][] {
    if (depth > maxDepth) throw new Error(`the pattern has groups nested more than ${maxDepth} deep`)
    const choices = [this.#sequence(depth)]
    while (this.next === '|') {
      this.#at++
      choices.push(this.#sequence(depth))
    }
    return choices
  }

  #sequence(depth: number): Part[] {
    const parts: Part[] = []
    while (!this.done && !'|])'.includes(this.next)) {
      const opening = this.next
      if (/\s/.test(opening)) {
        while (!this.done && /\s/.test(this.next)) this.#at++
        parts.push({ kind: 'gap' })
      } else if (opening === '[' || opening === '(') {
        this.#at++
        const choices = this.choices(depth + 1)
        const closing = opening === '[' ? ']' : ')'
        if (this.next !== closing) throw new Error(`the pattern has a ${opening} without a ${closing}`)
        this.#at++
        parts.push({ kind: 'joint' }, { kind: 'group', choices, optional: opening === '[' }, { kind: 'joint' })
      } else if (opening === '{') parts.push({ kind: 'gap' }, this.#entity(), { kind: 'gap' })
      else parts.push({ kind: 'text', folded: fold(this.#word()) })
    }
    return parts
  }

  #entity(): Part {
    const end = this.#text.indexOf('}', this.#at)
    if (end < 0) throw new Error('the pattern has a { without a }')
    const inside = this.#text.slice(this.#at + 1, end).trim()
    this.#at = end + 1
    const colon = inside.lastIndexOf(':')
    if (inside === '') throw new Error('the pattern has no entity name in {}')
    // Children of hierarchical entities have two colons in their names.
    return colon > 0 && inside[colon - 1] !== ':'
      ? { kind: 'entity', name: inside.slice(0, colon).trim(), role: inside.slice(colon + 1).trim() }
      : { kind: 'entity', name: inside }
  }

  #word(): string {
    const from = this.#at
    while (!this.done && !/[\s[\](){}|]/.test(this.next)) this.#at++
    if (this.#at === from) throw new Error(`the pattern has an unmatched ${this.next}`)
    return this.#text.slice(from, this.#at)
  }
}
