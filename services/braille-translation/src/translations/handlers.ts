import { implement, media, ok } from '@icosa/kernel'
import { languageOf } from '../liblouis/language.ts'
import { backTranslate, translate } from '../liblouis/translate.ts'
import { answers, sourceOf, untranslatedHeader } from './answers.ts'
import { translations as contract } from './contract.ts'
import * as forms from './forms.ts'
import { picture } from './png.ts'

export const translations = implement(contract, {
  async translateToDisplay({ query }) {
    return answers.display(query)
  },

  async translateToDots({ query }) {
    return answers.dots(query)
  },

  async translateToUnicode({ query }) {
    return answers.unicode(query)
  },

  async translateToImage({ query, headers }) {
    if (!prefers(headers.accept, 'image/png')) return answers.image(query)
    const { cells, replaced } = translate(query.text, query.table)
    return media('image/png', picture(cells).png, untranslatedHeader(replaced))
  },

  async translateToHtml({ query, headers }) {
    if (!prefers(headers.accept, 'text/html')) return answers.html(query)
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

/** Whether `accept` lists the type before JSON and before any wildcard. */
function prefers(accept = '', type: string): boolean {
  const ranges = accept.split(',').map((range) => range.split(';', 1)[0]?.trim())
  return ranges.find((range) => range === type || range === 'application/json' || range === '*/*') === type
}
