import { type Field, lexeme, weightOf } from '../index/document.ts'
import { marks } from '../index/shelf.ts'
import type { Phrase } from '../question/question.ts'
import type { SearchRequest } from '../question/request.ts'
import { formsOf } from '../words.ts'

/** Condition of an index query. */
export type Condition = Pick<SearchRequest, 'question' | 'fields' | 'facets'>

export const wordsOnly = ({ question, fields }: Condition): Condition => ({ question, fields, facets: [] })

/** The same with the words of phrases anywhere, since only rows show whether they are adjacent. */
export const scattered = (condition: Condition): Condition => ({
  ...condition,
  question: {
    ...condition.question,
    required: condition.question.required.flatMap(({ words, verbatim }) =>
      words.map((word) => ({ words: [word], verbatim })),
    ),
  },
})

/** Where all required words must be: in any field; in the title; or in any field, but not all in the title. */
export type Where = 'anywhere' | 'title' | 'elsewhere'

/** A condition as a tsquery on one shelf, exact without a recheck. */
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

/** Alternative conditions, each on one shelf. A single tsquery would be four times as slow. */
export type AnyOf = readonly string[]

export const onAny = (shelves: readonly string[], condition: Condition, where: Where): AnyOf =>
  shelves.map((shelf) => tsqueryOf(shelf, condition, where))

/** The tsquery for ranking: words only. */
export function rankedBy(shelf: string, { question, fields }: Condition): string {
  return question.required.map((phrase) => anywhere(shelf, phrase, fields)).join(' & ')
}

/** The forms of a word to search for. */
export const searchForms = (word: string, { verbatim }: Pick<Phrase, 'verbatim'>): string[] =>
  verbatim ? [word] : formsOf(word)

function anywhere(shelf: string, { words, verbatim }: Phrase, fields: readonly Field[]): string {
  // Weights need a recheck of the document, so they are omitted if all fields match.
  const weights = fields.length === 4 ? '' : `:${fields.map(weightOf).join('')}`
  const wordQuery = (word: string) =>
    either(searchForms(word, { verbatim }).map((form) => lexeme(shelf + marks.anywhere + form) + weights))
  return words.length === 1 ? wordQuery(words[0] as string) : `(${words.map(wordQuery).join(' <-> ')})`
}

function inTitle(shelf: string, phrase: Phrase): string {
  const { words } = phrase
  const each = words.map((word) => either(searchForms(word, phrase).map((form) => lexeme(shelf + marks.title + form))))
  return words.length === 1 ? (each[0] as string) : `(${each.join(' & ')} & ${anywhere(shelf, phrase, ['title'])})`
}

const either = (all: readonly string[]) => (all.length === 1 ? (all[0] as string) : `(${all.join(' | ')})`)
