import { highlightClass } from '../names.ts'
import { searchForms } from '../plan/tsquery.ts'
import type { Question } from '../question/question.ts'
import { tokensOf } from '../words.ts'

/** Words to highlight. */
export function markedWords({ required }: Question): ReadonlySet<string> {
  return new Set(required.flatMap((phrase) => phrase.words.flatMap((word) => searchForms(word, phrase))))
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

/** Text as HTML, with highlighted words. */
export function highlighted(text: string, words: ReadonlySet<string>): string {
  return marked(
    text,
    spansOf(text, (word) => words.has(word)),
    0,
    text.length,
  )
}

/** The same for words with one of these prefixes. */
export function highlightedPrefix(text: string, prefixes: readonly string[]): string {
  const hasPrefix = (word: string) => prefixes.some((prefix) => prefix !== '' && word.startsWith(prefix))
  return marked(text, spansOf(text, hasPrefix), 0, text.length)
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

const contextLength = 60
const segmentLength = 240

/** Up to `max` snippets around the first highlighted words. */
export function segments(text: string, words: ReadonlySet<string>, max: number): string[] {
  const spans = spansOf(text, (word) => words.has(word))
  const snippets: string[] = []
  let after = 0
  for (const { start } of spans) {
    if (snippets.length === max) break
    if (start < after) continue
    const from = start <= contextLength ? 0 : boundary(text, start - contextLength)
    after = boundary(text, from + segmentLength)
    snippets.push(`${from > 0 ? '...' : ''}${marked(text, spans, from, after)}`)
  }
  return snippets
}

/** A snippet around the first highlighted word, or the start of the text. */
export function segment(text: string, words: ReadonlySet<string>): string {
  return segments(text, words, 1)[0] ?? escaped(text.slice(0, boundary(text, segmentLength)))
}

/** The end of the word at a position; long words are split at a character boundary. */
function boundary(text: string, at: number): number {
  if (at >= text.length) return text.length
  const space = text.indexOf(' ', at)
  if (space >= 0 && space - at < 30) return space
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at
}
