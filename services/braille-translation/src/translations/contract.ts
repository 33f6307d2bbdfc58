import { Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeaders } from '../names.ts'
import { accept, replies, table, text, translated } from '../shapes/contract.ts'

const { get } = keyed(keyHeaders[0])

const query = Type.Object({ text, table })

export const translations = {
  translateToDisplay: get('/translate/braille', {
    summary: 'Translate text into ASCII braille, for a braille display or an embosser.',
    query,
    replies: replies.display,
  }),
  translateToDots: get('/translate/braille/dots', {
    summary: 'Translate text into the numbers of the raised dots, cell by cell.',
    query,
    replies: replies.dots,
  }),
  translateToUnicode: get('/translate/braille/unicode', {
    summary: 'Translate text into Unicode braille, cell by cell.',
    query,
    replies: replies.unicode,
  }),
  translateToImage: get('/translate/braille/image', {
    summary: 'Translate text into pictures: one <img> per cell, or one PNG if the caller accepts image/png.',
    query,
    headers: accept,
    replies: replies.image,
    media: ['image/png'],
  }),
  translateToHtml: get('/translate/braille/html', {
    summary: 'Translate text into HTML entities, cell by cell, or into a figure if the caller accepts text/html.',
    query,
    headers: accept,
    replies: replies.html,
    media: ['text/html; charset=utf-8'],
  }),
  translateToText: get('/translate/text', {
    summary: 'Translate Unicode braille back into text.',
    query: Type.Object({ braille: Type.String({ maxLength: 10_000 }), table }),
    replies: { 200: translated('TextTranslation', Type.String()) },
    extension: true,
  }),
}
