import { html } from '@icosa/pages'
import { passwordField } from '../elements/fields.ts'
import { page } from '../elements/layout.ts'
import type { ResetView } from '../views.ts'

export function resetPage(view: ResetView): string {
  return page(view, {
    title: 'Choose a new password',
    lead: html`You will use it to sign in to ${view.brand}.`,
    scripts: ['password'],
    content: html`<form method="post" action="${view.base}/reset">
<input type="hidden" name="token" value="${view.token}">
${passwordField({ name: 'password', label: 'New password', isNew: true, hasProblem: Boolean(view.problem) })}
<button>Save the password</button>
</form>`,
  })
}
