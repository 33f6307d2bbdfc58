import { type Field, lexeme, weightOf } from '../index/document.ts'
import { marks } from '../index/shelf.ts'
import type { Phrase } from '../question/question.ts'
import type { SearchRequest } from '../question/request.ts'
import { formsOf } from '../words.ts'

/** What the index is asked for. */
export type Condition = Pick<SearchRequest, 'question' | 'fields' | 'facets'>

/** A condition of words alone. */
export const wordsOnly = ({ question, fields }: Condition): Condition => ({ question, fields, facets: [] })

/** The same with the words of phrases anywhere, as the index sees them: rows say whether they stand together. */
export const scattered = (condition: Condition): Condition => ({
  ...condition,
  question: {
    ...condition.question,
    required: condition.question.required.flatMap(({ words, verbatim }) =>
      words.map((word) => ({ words: [word], verbatim })),
    ),
  },
})

/** Where all required words must stand: anywhere in the fields; in the title; or anywhere, but not all in the title. */
export type Where = 'anywhere' | 'title' | 'elsewhere'

/** A condition as a tsquery on one shelf. It holds exactly, also where the index answers it without the document. */
export function tsqueryOf(shelf: string, { question, fields, facets }: Condition, where: Where): string {
  const titleAlone = fields.length === 1 && fields[0] === 'title'
  const inFields = (phrase: Phrase) => (titleAlone ? inTitle(shelf, phrase) : anywhere(shelf, phrase, fields))
  const all = (of: (phrase: Phrase) => string) => question.required.map(of)
  const title = (phrase: Phrase) => inTitle(shelf, phrase)
  return [
    ...all(where === 'title' ? title : inFields),
    ...(where === 'elsewhere' ? [`!(${all(title).join(' & ')})`] : []),
    ...question.excluded.map((phrase) => `!${inFields(phrase)}`),
    ...facets.map((group) => either(group.map((name) => lexeme(shelf + marks.facet + name)))),
  ].join(' & ')
}

/** Conditions of which one must hold, each on one shelf. In one tsquery they would cost the index four times as much. */
export type AnyOf = readonly string[]

export const onAny = (shelves: readonly string[], condition: Condition, where: Where): AnyOf =>
  shelves.map((shelf) => tsqueryOf(shelf, condition, where))

/** What a document is ranked by: the words alone. */
export function rankedBy(shelf: string, { question, fields }: Condition): string {
  return question.required.map((phrase) => anywhere(shelf, phrase, fields)).join(' & ')
}

/** The forms in which a word is looked for. */
export const lookedFor = (word: string, { verbatim }: Pick<Phrase, 'verbatim'>): string[] =>
  verbatim ? [word] : formsOf(word)

function anywhere(shelf: string, { words, verbatim }: Phrase, fields: readonly Field[]): string {
  // Weights cost a look at the document, so they are left out where every field counts.
  const weights = fields.length === 4 ? '' : `:${fields.map(weightOf).join('')}`
  const word = (one: string) =>
    either(lookedFor(one, { verbatim }).map((form) => lexeme(shelf + marks.anywhere + form) + weights))
  return words.length === 1 ? word(words[0] as string) : `(${words.map(word).join(' <-> ')})`
}

function inTitle(shelf: string, phrase: Phrase): string {
  const { words } = phrase
  const each = words.map((one) => either(lookedFor(one, phrase).map((form) => lexeme(shelf + marks.title + form))))
  return words.length === 1 ? (each[0] as string) : `(${each.join(' & ')} & ${anywhere(shelf, phrase, ['title'])})`
}

const either = (all: readonly string[]) => (all.length === 1 ? (all[0] as string) : `(${all.join(' | ')})`)
