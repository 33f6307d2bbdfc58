import { operationsOf, type Replies, Type } from '@icosa/contract'
import { keyedDialect } from '@icosa/dialects/keyed'
import { keyHeaders } from '../names.ts'
import { Posted, replies, table, text } from '../shapes/contract.ts'

// A POST may carry its text in the query, and then has no body.
const { get, post } = operationsOf({ ...keyedDialect(keyHeaders[0]), bodyOptional: true })

const asJson = <const Path extends string, R extends Replies>(path: Path, form: string, replies: R) =>
  get(path, {
    summary: `${form}, as JSON whatever the caller accepts.`,
    query: Type.Object({ text, table }),
    replies,
    extension: true,
  })

const posted = <const Path extends string, R extends Replies>(path: Path, form: string, replies: R) =>
  post(path, {
    summary: `${form}, of a text in the query, a form or JSON.`,
    query: Posted,
    body: Posted,
    bodyTypes: ['application/json', 'application/x-www-form-urlencoded'],
    replies,
    reads: true,
    extension: true,
  })

/** Paths of the original's documentation: with `.json`, by POST, or both. */
export const documented = {
  translateToDisplayAsJson: asJson('/translate/braille.json', 'ASCII braille', replies.display),
  translateToDotsAsJson: asJson('/translate/braille/dots.json', 'Dot numbers', replies.dots),
  translateToUnicodeAsJson: asJson('/translate/braille/unicode.json', 'Unicode braille', replies.unicode),
  translateToImageAsJson: asJson('/translate/braille/image.json', 'Pictures', replies.image),
  translateToHtmlAsJson: asJson('/translate/braille/html.json', 'HTML entities', replies.html),

  postToDisplay: posted('/translate/braille', 'ASCII braille', replies.display),
  postToDots: posted('/translate/braille/dots', 'Dot numbers', replies.dots),
  postToUnicode: posted('/translate/braille/unicode', 'Unicode braille', replies.unicode),
  postToImage: posted('/translate/braille/image', 'Pictures', replies.image),
  postToHtml: posted('/translate/braille/html', 'HTML entities', replies.html),

  postToDisplayAsJson: posted('/translate/braille.json', 'ASCII braille', replies.display),
  postToDotsAsJson: posted('/translate/braille/dots.json', 'Dot numbers', replies.dots),
  postToUnicodeAsJson: posted('/translate/braille/unicode.json', 'Unicode braille', replies.unicode),
  postToImageAsJson: posted('/translate/braille/image.json', 'Pictures', replies.image),
  postToHtmlAsJson: posted('/translate/braille/html.json', 'HTML entities', replies.html),
}
