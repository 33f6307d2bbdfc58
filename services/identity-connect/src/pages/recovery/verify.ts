import { type Html, html } from '@icosa/pages'
import { passwordField } from '../elements/fields.ts'
import { page } from '../elements/layout.ts'
import type { VerifyView } from '../views.ts'

export function verifyPage(view: VerifyView): string {
  return page(view, {
    title: 'Confirm your e-mail address',
    lead: html`If <strong><bdi>${view.email}</bdi></strong> is your address, confirm it here. If you did not ask for this, close the page and nothing happens.`,
    scripts: view.isTheirs ? [] : ['password'],
    content: view.isTheirs ? form(view, html`<button>Confirm the address</button>`) : claim(view),
  })
}

/** Somebody has the mail, but has not shown that they made the account. */
function claim(view: VerifyView): Html {
  const hasProblem = Boolean(view.problem)
  return html`<p>Did you make the account that this is about? Then <a href="${view.base}/account">sign in to it</a> and open the link in the mail again.</p>
<p>If somebody else made it, or you do not know its password, choose a new one: you get an account of your own, and the one that was made with your address is deleted.</p>
${form(
  view,
  html`${passwordField({ name: 'password', label: 'New password', isNew: true, hasProblem })}
<button>Confirm and begin anew</button>`,
)}`
}

const form = ({ base, token }: VerifyView, fields: Html) => html`<form method="post" action="${base}/verify">
<input type="hidden" name="token" value="${token}">
${fields}
</form>`
