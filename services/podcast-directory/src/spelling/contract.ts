import { named, Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeaders } from '../names.ts'
import { searchText } from '../search/contract.ts'

const { get } = keyed(keyHeaders[0])

export const spelling = {
  spellcheck: get('/spellcheck', {
    summary: 'Correct the spelling of a search.',
    query: Type.Object({ q: searchText }),
    replies: {
      200: named('SpellCheckResponse', {
        tokens: Type.Array(
          named('MisspelledToken', { offset: Type.Integer(), token: Type.String(), suggestion: Type.String() }),
        ),
        corrected_text_html: Type.String(),
      }),
    },
  }),
}
