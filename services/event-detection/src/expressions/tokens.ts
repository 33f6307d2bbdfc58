import type { Segment } from './syntax.ts'
import { readNumber, type Value } from './value.ts'

export type Token =
  | { readonly kind: 'literal'; readonly at: number; readonly value: Value }
  | { readonly kind: 'template'; readonly at: number; readonly parts: readonly (string | readonly Token[])[] }
  | { readonly kind: 'reference'; readonly at: number; readonly root: string; readonly path: readonly Segment[] }
  | { readonly kind: 'name' | 'symbol'; readonly at: number; readonly text: string }
  | { readonly kind: 'end'; readonly at: number }

/** Maximum nesting of parentheses and templates. */
export const maxDepth = 64

/** Syntax error, which `parse` catches and returns. */
export class SyntaxProblem extends Error {
  readonly at: number
  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

const symbols = /&&|\|\||[<>=!]=|[-+*/%<>!~&|^(),]/y
const number = /\d+(?:\.\d+)?/y
const name = /[a-zA-Z][a-zA-Z0-9_]*/y
const index = /\[(\d{1,9})\]/y
const quotedName = /`([^`]{1,128})`/y
const hexadecimal = /[\da-fA-F]{4}/y
const blank = /\s*/y

interface Cursor {
  readonly text: string
  at: number
}

/** Splits a text into tokens in linear time. */
export const tokensOf = (text: string): readonly Token[] => tokens({ text, at: 0 }, undefined, 0)

/** Consumes a match of the pattern at the cursor. */
function take(cursor: Cursor, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = cursor.at
  const match = pattern.exec(cursor.text)
  if (match) cursor.at = pattern.lastIndex
  return match
}

/** Tokens up to the end of the text, or to the closing brace of a template. */
function tokens(cursor: Cursor, until: '}' | undefined, depth: number): readonly Token[] {
  if (depth > maxDepth) throw new SyntaxProblem(cursor.at, `templates are nested more than ${maxDepth} deep`)
  const list: Token[] = []
  for (;;) {
    take(cursor, blank)
    const first = cursor.text[cursor.at]
    if (first === until) break
    if (first === undefined) throw new SyntaxProblem(cursor.at, "the template's '}' is missing")
    list.push(token(cursor, first, depth))
  }
  list.push({ kind: 'end', at: cursor.at })
  return list
}

function token(cursor: Cursor, first: string, depth: number): Token {
  const { at } = cursor
  if (first === "'") return template(cursor, depth)
  if (first === '"') return { kind: 'literal', at, value: plainString(cursor) }
  if (first === '$') return reference(cursor)
  if (/\d/.test(first)) return numeral(cursor)
  const word = take(cursor, name) ?? take(cursor, symbols)
  if (word) return { kind: /\w/.test(first) ? 'name' : 'symbol', at, text: word[0] }
  if (first === '=') throw new SyntaxProblem(at, "'=' is not an operator; compare with '=='")
  throw new SyntaxProblem(at, `'${first}' is not expected here`)
}

function numeral(cursor: Cursor): Token {
  const { at } = cursor
  const digits = take(cursor, number)?.[0] ?? ''
  const next = cursor.text[cursor.at] ?? ''
  if (/[\w.]/.test(next)) throw new SyntaxProblem(at, `'${digits}${next}' is not a number`)
  const value = readNumber(digits)
  if (value === undefined) throw new SyntaxProblem(at, 'the number is too large')
  return { kind: 'literal', at, value }
}

function reference(cursor: Cursor): Token {
  const { at } = cursor
  cursor.at++
  const root = take(cursor, name)?.[0]
  if (root !== 'input' && root !== 'variable')
    throw new SyntaxProblem(at, "a reference begins with '$input.' or '$variable.'")
  const path: Segment[] = []
  for (;;) {
    const element = take(cursor, index)
    if (element) path.push(Number(element[1]))
    else if (cursor.text[cursor.at] === '.') path.push(segment(cursor))
    else return { kind: 'reference', at, root, path }
  }
}

function segment(cursor: Cursor): string {
  cursor.at++
  const text = take(cursor, name)?.[0] ?? take(cursor, quotedName)?.[1]
  if (text !== undefined) return text
  throw new SyntaxProblem(
    cursor.at,
    'a name is expected here; put names with other characters than letters and digits in backticks',
  )
}

function plainString(cursor: Cursor): string {
  const from = cursor.at++
  let value = ''
  while (cursor.text[cursor.at] !== '"') value += character(cursor, from)
  cursor.at++
  return value
}

/** A string in single quotes; `${...}` in it makes it a template. */
function template(cursor: Cursor, depth: number): Token {
  const at = cursor.at++
  const parts: (string | readonly Token[])[] = []
  let value = ''
  while (cursor.text[cursor.at] !== "'") {
    if (!cursor.text.startsWith('${', cursor.at)) {
      value += character(cursor, at)
      continue
    }
    if (value !== '') parts.push(value)
    value = ''
    cursor.at += 2
    parts.push(tokens(cursor, '}', depth + 1))
    cursor.at++
  }
  cursor.at++
  if (parts.length === 0) return { kind: 'literal', at, value }
  if (value !== '') parts.push(value)
  return { kind: 'template', at, parts }
}

/** The next character of a string that starts at `from`. */
function character(cursor: Cursor, from: number): string {
  const at = cursor.at++
  const plain = cursor.text[at]
  if (plain === undefined) throw new SyntaxProblem(from, 'the string has no end')
  if (plain !== '\\') return plain
  const escaped = cursor.text[cursor.at++] ?? ''
  if (escaped === 'u') {
    const code = take(cursor, hexadecimal)?.[0]
    if (code === undefined) throw new SyntaxProblem(at, "'\\u' takes four hexadecimal digits")
    return String.fromCharCode(Number.parseInt(code, 16))
  }
  const unescaped = escapes[escaped]
  if (unescaped === undefined) throw new SyntaxProblem(at, `'\\${escaped}' is not an escape; a backslash is '\\\\'`)
  return unescaped
}

const escapes: Readonly<Record<string, string>> = {
  ...{ '"': '"', "'": "'", '\\': '\\', '/': '/', $: '$' },
  ...{ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' },
}
