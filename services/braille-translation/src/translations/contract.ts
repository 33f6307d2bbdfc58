import { extension, named, type Schema, Type, withDefault } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeaders } from '../names.ts'

const { get } = keyed(keyHeaders[0])

/** UEB grade 2. */
const table = extension(
  withDefault(Type.String({ maxLength: 100, description: 'Language and grade.' }), 'en-ueb-g2.ctb'),
)
const query = Type.Object({ text: Type.String({ maxLength: 10_000 }), table })

/** The envelope of every answer. */
function translated<T>(title: string, form: Schema<T>) {
  return named(title, {
    success: Type.Object({ total: Type.Integer() }),
    contents: Type.Object({
      translated: form,
      text: Type.String(),
      translation: Type.Object({ source: Type.String(), destination: Type.String() }),
    }),
  })
}

const cells = Type.Array(Type.String())
const accept = Type.Object({ accept: Type.Optional(Type.String()) })

export const translations = {
  translateToDisplay: get('/translate/braille', {
    summary: 'Translate text into ASCII braille, for a braille display or an embosser.',
    query,
    replies: { 200: translated('DisplayTranslation', Type.String()) },
  }),
  translateToDots: get('/translate/braille/dots', {
    summary: 'Translate text into the numbers of the raised dots, cell by cell.',
    query,
    replies: { 200: translated('DotsTranslation', cells) },
  }),
  translateToUnicode: get('/translate/braille/unicode', {
    summary: 'Translate text into Unicode braille, cell by cell.',
    query,
    replies: { 200: translated('UnicodeTranslation', cells) },
  }),
  translateToImage: get('/translate/braille/image', {
    summary: 'Translate text into pictures: one <img> per cell, or one PNG if the caller accepts image/png.',
    query,
    headers: accept,
    replies: { 200: translated('ImageTranslation', cells) },
    media: ['image/png'],
  }),
  translateToHtml: get('/translate/braille/html', {
    summary: 'Translate text into HTML entities, cell by cell, or into a figure if the caller accepts text/html.',
    query,
    headers: accept,
    replies: { 200: translated('HtmlTranslation', cells) },
    media: ['text/html; charset=utf-8'],
  }),
  translateToText: get('/translate/text', {
    summary: 'Translate Unicode braille back into text.',
    query: Type.Object({ braille: Type.String({ maxLength: 10_000 }), table }),
    replies: { 200: translated('TextTranslation', Type.String()) },
    extension: true,
  }),
}
