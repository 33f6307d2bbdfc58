import { ok } from '@icosa/kernel'
import { languageOf } from '../liblouis/language.ts'
import { translate } from '../liblouis/translate.ts'
import * as forms from './forms.ts'

export interface Question {
  readonly text: string
  readonly table: string
}

/** JSON responses by form. */
export const answers = {
  display: (question: Question) => answer(question, forms.display, 'braille display'),
  dots: (question: Question) => answer(question, forms.dots, 'braille dots'),
  unicode: (question: Question) => answer(question, forms.unicode, 'braille unicode'),
  image: (question: Question) => answer(question, forms.image, 'braille images'),
  html: (question: Question) => answer(question, forms.html, 'braille html'),
}

/** Translates, and wraps one form of the cells in the envelope. */
function answer<T>({ text, table }: Question, form: (cells: string) => T, destination: string) {
  const { cells, replaced } = translate(text, table)
  const translation = { source: sourceOf(table), destination }
  return ok(
    { success: { total: 1 }, contents: { translated: form(cells), text, translation } },
    { headers: untranslatedHeader(replaced) },
  )
}

/** English name of a table's language: 'english'. */
export function sourceOf(table: string): string {
  return (languageNames.of(languageOf(table)) ?? table).toLowerCase()
}
const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })

const maxListed = 50

/** Lists the characters that the table cannot write; the body has no field for them. */
export function untranslatedHeader(replaced: readonly string[]): Record<string, string> {
  if (replaced.length === 0) return {}
  const codes = replaced.slice(0, maxListed).map((character) => `U+${hex(character)}`)
  return { 'untranslated-characters': codes.join(' ') }
}

const hex = (character: string) => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
