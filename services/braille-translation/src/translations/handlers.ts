import { implement, media, ok } from '@icosa/kernel'
import { languageOf } from '../liblouis/language.ts'
import { backTranslate, translate } from '../liblouis/translate.ts'
import { translations as contract } from './contract.ts'
import * as forms from './forms.ts'
import { picture } from './png.ts'

interface Query {
  readonly text: string
  readonly table: string
}

/** Translates and wraps one form of the cells into the envelope. */
function reply<T>({ text, table }: Query, form: (cells: string) => T, destination: string) {
  const { cells, replaced } = translate(text, table)
  const translation = { source: sourceOf(table), destination }
  return ok(
    { success: { total: 1 }, contents: { translated: form(cells), text, translation } },
    { headers: untranslatedHeader(replaced) },
  )
}

export const translations = implement(contract, {
  async translateToDisplay({ query }) {
    return reply(query, forms.display, 'braille display')
  },

  async translateToDots({ query }) {
    return reply(query, forms.dots, 'braille dots')
  },

  async translateToUnicode({ query }) {
    return reply(query, forms.unicode, 'braille unicode')
  },

  async translateToImage({ query, headers }) {
    if (!prefers(headers.accept, 'image/png')) return reply(query, forms.image, 'braille images')
    const { cells, replaced } = translate(query.text, query.table)
    return media('image/png', picture(cells).png, untranslatedHeader(replaced))
  },

  async translateToHtml({ query, headers }) {
    if (!prefers(headers.accept, 'text/html')) return reply(query, forms.html, 'braille html')
    const { cells, replaced } = translate(query.text, query.table)
    return media(
      'text/html; charset=utf-8',
      forms.page(cells, query.text, languageOf(query.table)),
      untranslatedHeader(replaced),
    )
  },

  async translateToText({ query: { braille, table } }) {
    const translated = backTranslate(braille, table)
    const translation = { source: 'braille unicode', destination: sourceOf(table) }
    return ok({ success: { total: 1 }, contents: { translated, text: braille, translation } })
  },
})

/** The language of a table in English words: 'english'. */
function sourceOf(table: string): string {
  return (languageNames.of(languageOf(table)) ?? table).toLowerCase()
}
const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })

/** Whether the caller named this type before JSON and before 'anything'. */
function prefers(accept = '', type: string): boolean {
  const named = accept.split(',').map((range) => range.split(';', 1)[0]?.trim())
  return named.find((range) => range === type || range === 'application/json' || range === '*/*') === type
}

const mostNamed = 50

/** Names the characters that the table cannot write; the body has no place for them. */
function untranslatedHeader(replaced: readonly string[]): Record<string, string> {
  if (replaced.length === 0) return {}
  const codes = replaced.slice(0, mostNamed).map((character) => `U+${hex(character)}`)
  return { 'untranslated-characters': codes.join(' ') }
}

const hex = (character: string) => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
