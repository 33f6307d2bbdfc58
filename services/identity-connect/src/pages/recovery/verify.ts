import { type Html, html } from '@icosa/pages'
import { passwordField } from '../elements/fields.ts'
import { page } from '../elements/layout.ts'
import type { VerifyView } from '../views.ts'

export function verifyPage(view: VerifyView): string {
  return page(view, {
    title: 'Confirm your e-mail address',
    lead: html`If <strong><bdi>${view.email}</bdi></strong> is your address, confirm it here. If you did not ask for this, close the page and nothing happens.`,
    scripts: view.isOwner ? [] : ['password'],
    content: view.isOwner ? form(view, html`<button>Confirm the address</button>`) : claim(view),
  })
}

/** For visitors with the mail who are not signed in to the account. */
function claim(view: VerifyView): Html {
  const hasProblem = Boolean(view.problem)
  return html`<p>Did you create this account? Then <a href="${view.base}/account">sign in to it</a> and open the link in the mail again.</p>
<p>If someone else created it, or you do not know its password, choose a new one: you get a new account, and the existing one is deleted.</p>
${form(
  view,
  html`${passwordField({ name: 'password', label: 'New password', isNew: true, hasProblem })}
<button>Confirm and create a new account</button>`,
)}`
}

const form = ({ base, token }: VerifyView, fields: Html) => html`<form method="post" action="${base}/verify">
<input type="hidden" name="token" value="${token}">
${fields}
</form>`
