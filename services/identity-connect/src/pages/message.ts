import { html } from '@icosa/pages'
import { linkTarget } from './elements/address.ts'
import { page } from './elements/layout.ts'
import type { MessageView } from './views.ts'

export function messagePage(view: MessageView): string {
  const href = view.link && linkTarget(view.link.href)
  return page(view, {
    title: view.title,
    lead: html`${view.text}`,
    content: href && view.link ? html`<p><a class="button" href="${href}">${view.link.label}</a></p>` : undefined,
  })
}
