import { ok } from '@icosa/kernel'
import { languageOf } from '../liblouis/language.ts'
import { translate } from '../liblouis/translate.ts'
import * as forms from './forms.ts'

export interface Question {
  readonly text: string
  readonly table: string
}

/** The JSON of each form. */
export const answers = {
  display: (asked: Question) => answer(asked, forms.display, 'braille display'),
  dots: (asked: Question) => answer(asked, forms.dots, 'braille dots'),
  unicode: (asked: Question) => answer(asked, forms.unicode, 'braille unicode'),
  image: (asked: Question) => answer(asked, forms.image, 'braille images'),
  html: (asked: Question) => answer(asked, forms.html, 'braille html'),
}

/** Translates and wraps one form of the cells into the envelope. */
function answer<T>({ text, table }: Question, form: (cells: string) => T, destination: string) {
  const { cells, replaced } = translate(text, table)
  const translation = { source: sourceOf(table), destination }
  return ok(
    { success: { total: 1 }, contents: { translated: form(cells), text, translation } },
    { headers: untranslatedHeader(replaced) },
  )
}

/** The language of a table in English words: 'english'. */
export function sourceOf(table: string): string {
  return (languageNames.of(languageOf(table)) ?? table).toLowerCase()
}
const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })

const maxNamed = 50

/** Names the characters that the table cannot write; the body has no place for them. */
export function untranslatedHeader(replaced: readonly string[]): Record<string, string> {
  if (replaced.length === 0) return {}
  const codes = replaced.slice(0, maxNamed).map((character) => `U+${hex(character)}`)
  return { 'untranslated-characters': codes.join(' ') }
}

const hex = (character: string) => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
