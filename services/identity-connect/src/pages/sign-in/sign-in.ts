import { type Html, html } from '@icosa/pages'
import { nameOf, newTab } from '../elements/client.ts'
import { passwordField, textField } from '../elements/fields.ts'
import { page } from '../elements/layout.ts'
import type { SignInView } from '../views.ts'

export function signInPage(view: SignInView): string {
  const { action, client, email, signUpOffered } = view
  const hasProblem = Boolean(view.problem)
  return page(view, {
    title: 'Sign in',
    lead: html`to continue to ${nameOf(client)}`,
    client,
    scripts: ['password', 'passkey'],
    content: html`<form method="post" action="${action}/sign-in">
${textField({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username webauthn', value: email, hasProblem })}
${passwordField({ name: 'password', label: 'Password', isNew: false, hasProblem })}
<p class="links">${forgotLink(view)}</p>
<button>Sign in</button>
</form>
<form method="post" action="${action}/passkey" data-passkey="get" data-options="${action}/passkey-options" hidden>
<input type="hidden" name="assertion">
<p class="or">or</p>
<button class="secondary">Sign in with a passkey</button>
<p class="muted" role="status"></p>
</form>
<div class="after">
${signUpOffered && html`<p>New here? <a href="${action}/sign-up">Create an account</a></p>`}
<form method="post" action="${action}/cancel"><button class="quiet">Cancel</button></form>
</div>`,
  })
}

/** In popups and frames the link opens a tab, so that the step is not lost. */
function forgotLink({ base, display }: SignInView): Html {
  const [href, label] = [`${base}/forgot`, 'Forgot your password?']
  return display === 'page' ? html`<a href="${href}">${label}</a>` : newTab(href, label)
}
