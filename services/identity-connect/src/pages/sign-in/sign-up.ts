import { html } from '@icosa/pages'
import { nameOf } from '../elements/client.ts'
import { passwordField, textField } from '../elements/fields.ts'
import { page } from '../elements/layout.ts'
import type { SignUpView } from '../views.ts'

export function signUpPage(view: SignUpView): string {
  if (view.hasAccount) return invitationPage(view)
  const { action, client, name, email, emailFixed } = view
  const hasProblem = Boolean(view.problem)
  const hint = emailFixed ? 'The invited address. It cannot be changed here.' : undefined
  return page(view, {
    title: 'Create an account',
    lead: html`to continue to ${nameOf(client)}`,
    client,
    scripts: ['password'],
    content: html`<form method="post" action="${action}/sign-up">
${textField({ name: 'name', label: 'Your name (optional)', autocomplete: 'name', value: name, isOptional: true, hasProblem })}
${textField({
  name: 'email',
  label: 'E-mail address',
  type: 'email',
  autocomplete: 'username',
  value: email,
  hint,
  isFixed: emailFixed,
  hasProblem,
})}
${passwordField({ name: 'password', label: 'Password', isNew: true, hasProblem })}
<button>Create account</button>
</form>
<div class="after">
${!emailFixed && html`<p>Already have an account? <a href="${action}">Sign in</a></p>`}
<form method="post" action="${action}/cancel"><button class="quiet">Cancel</button></form>
</div>`,
  })
}

function invitationPage(view: SignUpView): string {
  const { action, email, brand } = view
  return page(view, {
    title: 'Accept the invitation',
    lead: html`for <bdi>${email}</bdi>, which already has an account at ${brand}`,
    content: html`<form method="post" action="${action}/sign-up"><button>Accept</button></form>
<div class="after">
<form method="post" action="${action}/cancel"><button class="quiet">Cancel</button></form>
</div>`,
  })
}
