import { Failure, implement } from '@icosa/kernel'
import { DEFAULT_TABLE } from '../liblouis/tables.ts'
import { answers, type Question } from '../translations/answers.ts'
import { documented as contract } from './contract.ts'

interface Request {
  readonly query: Partial<Question>
  readonly body: Partial<Question>
}

/** The body takes precedence over the query. */
function question({ query, body }: Request): Question {
  const { text, table = DEFAULT_TABLE } = { ...query, ...body }
  if (text === undefined) throw new Failure('invalid', 'text is required, in the query or in the body.')
  return { text, table }
}

export const documented = implement(contract, {
  translateToDisplayAsJson: async ({ query }) => answers.display(query),
  translateToDotsAsJson: async ({ query }) => answers.dots(query),
  translateToUnicodeAsJson: async ({ query }) => answers.unicode(query),
  translateToImageAsJson: async ({ query }) => answers.image(query),
  translateToHtmlAsJson: async ({ query }) => answers.html(query),

  postToDisplay: async (request) => answers.display(question(request)),
  postToDots: async (request) => answers.dots(question(request)),
  postToUnicode: async (request) => answers.unicode(question(request)),
  postToImage: async (request) => answers.image(question(request)),
  postToHtml: async (request) => answers.html(question(request)),

  postToDisplayAsJson: async (request) => answers.display(question(request)),
  postToDotsAsJson: async (request) => answers.dots(question(request)),
  postToUnicodeAsJson: async (request) => answers.unicode(question(request)),
  postToImageAsJson: async (request) => answers.image(question(request)),
  postToHtmlAsJson: async (request) => answers.html(question(request)),
})
