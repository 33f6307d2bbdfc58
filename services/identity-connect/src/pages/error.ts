import { html } from '@icosa/pages'
import { page } from './elements/layout.ts'
import type { ErrorView } from './views.ts'

export function errorPage(view: ErrorView): string {
  const { title, text, error, description } = view
  return page(view, {
    title,
    lead: html`${text}`,
    content: html`<details>
<summary>Details for developers</summary>
<dl>
<dt>Error</dt>
<dd><code>${error}</code></dd>
${description && html`<dt>Description</dt><dd>${description}</dd>`}
</dl>
</details>`,
  })
}
