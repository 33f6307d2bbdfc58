import { attribute, type Html, html } from '@icosa/pages'
import { segment } from '../elements/address.ts'
import type { Dates } from '../elements/dates.ts'
import { passwordField, textField } from '../elements/fields.ts'
import { table } from '../elements/table.ts'
import type { AccountView, PasskeyView } from '../views.ts'

export function emailSection({ base, person }: AccountView): Html {
  const { email, emailVerified } = person
  return html`<section aria-labelledby="email-section">
<h2 id="email-section">E-mail address</h2>
<p><bdi>${email}</bdi> <span class="tag">${emailVerified ? 'Confirmed' : 'Not confirmed'}</span></p>
${
  !emailVerified &&
  html`<p class="muted">We sent you a message with a link. Open it to confirm that the address is yours.</p>
<form method="post" action="${base}/account/verify"><button class="secondary">Send the message again</button></form>`
}
</section>`
}

/** Tells password managers the account. Without a name, the field is not submitted. */
const owner = (id: string, email: string) =>
  html`<div hidden><label for="${id}">E-mail address</label><input id="${id}" type="email" value="${email}" autocomplete="username" readonly></div>`

export function passwordSection({ base, person, problem, problemAt }: AccountView): Html {
  const { email, hasPassword } = person
  const hasProblem = Boolean(problem) && problemAt === 'password'
  return html`<section aria-labelledby="password-section">
<h2 id="password-section">Password</h2>
${!hasPassword && html`<p class="muted">You have no password yet. With one you can sign in without a passkey.</p>`}
<form method="post" action="${base}/account/password">
${owner('password-owner', email)}
${hasPassword && passwordField({ name: 'current', label: 'Current password', isNew: false, hasProblem })}
${passwordField({ name: 'password', label: 'New password', isNew: true, hasProblem })}
<button>${hasPassword ? 'Change password' : 'Set password'}</button>
</form>
</section>`
}

/** The form is shown by passkey.js; the sentence after it is for browsers without passkeys. */
export function passkeysSection({ base, passkeys, problem, problemAt }: AccountView, dates: Dates): Html {
  const hasProblem = Boolean(problem) && problemAt === 'passkeys'
  return html`<section aria-labelledby="passkeys">
<h2 id="passkeys">Passkeys</h2>
<p class="muted">With a passkey you sign in by unlocking your device, without a password.</p>
${passkeys.length > 0 && passkeyTable(base, passkeys, dates)}
<form method="post" action="${base}/account/passkeys" data-passkey="create" data-options="${base}/account/passkey-options" hidden>
<input type="hidden" name="attestation">
${textField({
  id: 'passkey-name',
  name: 'name',
  label: 'Name of the new passkey',
  autocomplete: 'off',
  hint: 'To recognize it later, such as My laptop.',
  hasProblem,
})}
<button class="secondary">Add a passkey</button>
<p class="muted" role="status"></p>
</form>
<p class="muted instead">This browser cannot add a passkey. Open this page in a current browser, with scripts allowed.</p>
</section>`
}

function passkeyTable(base: string, passkeys: readonly PasskeyView[], { day }: Dates): Html {
  return table<PasskeyView>(
    'passkeys',
    [
      { head: 'Name', cell: ({ name }) => html`<bdi>${name}</bdi>` },
      { head: 'Added', cell: ({ addedAt }) => day(addedAt) },
      { head: 'Last used', cell: ({ usedAt }) => (usedAt ? day(usedAt) : html`Not yet`) },
      {
        head: 'Remove',
        isAction: true,
        cell: ({ id, name }) =>
          html`<form method="post" action="${base}/account/passkeys/${segment(id)}/delete"><button class="secondary">Remove<span class="unseen"> the passkey ${name}</span></button></form>`,
      },
    ],
    passkeys,
  )
}

/** Collapsed, and confirmed by the password or a checkbox, to prevent accidental deletion. */
export function deleteSection({ base, person, problem, problemAt }: AccountView): Html {
  const hasProblem = Boolean(problem) && problemAt === 'delete'
  return html`<section aria-labelledby="delete">
<h2 id="delete">Delete your account</h2>
<details${attribute('open', hasProblem)}>
<summary>I want to delete my account</summary>
<p>Your profile, your passkeys and the access of applications are deleted permanently. Applications keep the data they already have.</p>
<form method="post" action="${base}/account/delete">
${
  person.hasPassword
    ? html`${owner('delete-owner', person.email)}
${passwordField({ id: 'delete-password', name: 'password', label: 'Your password', isNew: false, hasProblem })}`
    : html`<p class="tick"><input type="checkbox" id="delete-sure" required><label for="delete-sure">Yes, delete everything</label></p>`
}
<button class="danger">Delete my account</button>
</form>
</details>
</section>`
}
