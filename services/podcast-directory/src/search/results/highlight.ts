import { highlightClass } from '../names.ts'
import { lookedFor } from '../plan/tsquery.ts'
import type { Question } from '../question/question.ts'
import { tokensOf } from '../words.ts'

/** The words that are marked. */
export function markedWords({ required }: Question): ReadonlySet<string> {
  return new Set(required.flatMap((phrase) => phrase.words.flatMap((word) => lookedFor(word, phrase))))
}

interface Span {
  start: number
  end: number
}

function spansOf(text: string, isMarked: (word: string) => boolean): Span[] {
  const spans: Span[] = []
  for (const { word, start, end } of tokensOf(text)) {
    if (!isMarked(word)) continue
    const last = spans.at(-1)
    if (last && start < last.end) last.end = end
    else spans.push({ start, end })
  }
  return spans
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] as string)

/** A text as HTML, with these words marked. */
export function highlighted(text: string, words: ReadonlySet<string>): string {
  return marked(
    text,
    spansOf(text, (word) => words.has(word)),
    0,
    text.length,
  )
}

/** The same with words that begin in one of these ways. */
export function highlightedPrefix(text: string, beginnings: readonly string[]): string {
  const begins = (word: string) => beginnings.some((beginning) => beginning !== '' && word.startsWith(beginning))
  return marked(text, spansOf(text, begins), 0, text.length)
}

function marked(text: string, spans: readonly Span[], from: number, to: number): string {
  let html = ''
  let at = from
  for (const { start, end } of spans) {
    if (start < from || end > to) continue
    html += `${escaped(text.slice(at, start))}<span class="${highlightClass}">${escaped(text.slice(start, end))}</span>`
    at = end
  }
  return html + escaped(text.slice(at, to))
}

const before = 60
const segmentLength = 240

/** The parts of a text around its first marked words, at most so many; the beginning if none is marked. */
export function segments(text: string, words: ReadonlySet<string>, most: number): string[] {
  const spans = spansOf(text, (word) => words.has(word))
  const found: string[] = []
  let after = 0
  for (const { start } of spans) {
    if (found.length === most) break
    if (start < after) continue
    const from = start <= before ? 0 : boundary(text, start - before)
    after = boundary(text, from + segmentLength)
    found.push(`${from > 0 ? '...' : ''}${marked(text, spans, from, after)}`)
  }
  return found
}

/** The part of a text around its first marked word, or its beginning. */
export function segment(text: string, words: ReadonlySet<string>): string {
  return segments(text, words, 1)[0] ?? escaped(text.slice(0, boundary(text, segmentLength)))
}

/** The end of the word that reaches over a position; a long one is cut, though not through a character. */
function boundary(text: string, at: number): number {
  if (at >= text.length) return text.length
  const space = text.indexOf(' ', at)
  if (space >= 0 && space - at < 30) return space
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at
}
