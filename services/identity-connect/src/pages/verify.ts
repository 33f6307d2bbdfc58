import { html } from './html.ts'
import { page } from './layout.ts'
import type { VerifyView } from './views.ts'

export function verifyPage(view: VerifyView): string {
  return page(view, {
    title: 'Confirm your e-mail address',
    lead: html`If <strong><bdi>${view.email}</bdi></strong> is your address, confirm it here. If you did not ask for this, close the page and nothing happens.`,
    content: html`<form method="post" action="${view.base}/verify">
<input type="hidden" name="token" value="${view.token}">
<button>Confirm the address</button>
</form>`,
  })
}
