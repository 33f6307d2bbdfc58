import { Failure, implement } from '@icosa/kernel'
import { DEFAULT_TABLE } from '../liblouis/tables.ts'
import { answers, type Question } from '../translations/answers.ts'
import { documented as contract } from './contract.ts'

interface Asked {
  readonly query: Partial<Question>
  readonly body: Partial<Question>
}

/** What was asked, wherever it stands; where it stands twice, the body decides. */
function question({ query, body }: Asked): Question {
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

  postToDisplay: async (asked) => answers.display(question(asked)),
  postToDots: async (asked) => answers.dots(question(asked)),
  postToUnicode: async (asked) => answers.unicode(question(asked)),
  postToImage: async (asked) => answers.image(question(asked)),
  postToHtml: async (asked) => answers.html(question(asked)),

  postToDisplayAsJson: async (asked) => answers.display(question(asked)),
  postToDotsAsJson: async (asked) => answers.dots(question(asked)),
  postToUnicodeAsJson: async (asked) => answers.unicode(question(asked)),
  postToImageAsJson: async (asked) => answers.image(question(asked)),
  postToHtmlAsJson: async (asked) => answers.html(question(asked)),
})
