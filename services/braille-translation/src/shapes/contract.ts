import { extension, named, type Schema, Type, withDefault } from '@icosa/contract'

export const text = Type.String({ maxLength: 10_000 })

const tableId = Type.String({ maxLength: 100, description: 'Language and grade.' })

/** UEB grade 2. */
export const table = extension(withDefault(tableId, 'en-ueb-g2.ctb'))

/** A text in the query or in the body. */
export const Posted = named('Posted', { text: Type.Optional(text), table: Type.Optional(tableId) })

export const accept = Type.Object({ accept: Type.Optional(Type.String()) })

/** The envelope of every answer. */
export function translated<T>(title: string, form: Schema<T>) {
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

/** Replies of each form, for GET and POST. */
export const replies = {
  display: { 200: translated('DisplayTranslation', Type.String()) },
  dots: { 200: translated('DotsTranslation', cells) },
  unicode: { 200: translated('UnicodeTranslation', cells) },
  image: { 200: translated('ImageTranslation', cells) },
  html: { 200: translated('HtmlTranslation', cells) },
}
