import { html } from '@icosa/pages'
import { textField } from '../elements/fields.ts'
import { page } from '../elements/layout.ts'
import type { ForgotView } from '../views.ts'

export function forgotPage(view: ForgotView): string {
  return page(view, {
    title: 'Forgot your password?',
    lead: html`Enter your e-mail address. If there is an account for it, we will send you a link to choose a new password.`,
    content: html`<form method="post" action="${view.base}/forgot">
${textField({
  name: 'email',
  label: 'E-mail address',
  type: 'email',
  autocomplete: 'username',
  value: view.email,
  hasProblem: Boolean(view.problem),
})}
<button>Send the link</button>
</form>
${view.display === 'page' && html`<div class="after"><p><a href="${view.base}/account">Back to signing in</a></p></div>`}`,
  })
}
