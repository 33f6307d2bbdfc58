import { implement, ok } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { tenantNumber } from '../search/read/store.ts'
import { escaped } from '../search/results/highlight.ts'
import { spelling as contract } from './contract.ts'
import { type Correction, corrections } from './correct.ts'

export const spelling = implement<typeof contract, ServiceRuntime>(contract, {
  async spellcheck({ query: { q } }, { db, caller: { tenant }, runtime }) {
    const misspellings = await corrections(db, tenant, await tenantNumber(db, tenant), q, runtime.english)
    return ok({
      tokens: misspellings.map(({ start, end, suggestion }) => ({
        offset: start,
        token: q.slice(start, end),
        suggestion,
      })),
      corrected_text_html: corrected(q, misspellings),
    })
  },
})

/** The text as HTML, with highlighted corrections. */
function corrected(text: string, misspellings: readonly Correction[]): string {
  let html = ''
  let at = 0
  for (const { start, end, suggestion } of misspellings) {
    html += `${escaped(text.slice(at, start))}<b><i>${escaped(suggestion)}</i></b>`
    at = end
  }
  return html + escaped(text.slice(at))
}
