import { html } from '@icosa/pages'
import { nameOf } from '../elements/client.ts'
import { page } from '../elements/layout.ts'
import type { SignOutView } from '../views.ts'

/** Without `logout`, the protocol library ends only the session with the application. */
export function signOutPage(view: SignOutView): string {
  const { brand, client, action, secret } = view
  return page(view, {
    title: client ? `Sign out of ${brand}, too?` : `Sign out of ${brand}?`,
    lead: client && html`${nameOf(client)} is signing you out.`,
    client,
    content: html`<p>If you sign out, you have to sign in again the next time an application asks ${brand} who you are.</p>
<form method="post" action="${action}">
<input type="hidden" name="xsrf" value="${secret}">
<div class="actions">
<button name="logout" value="yes">Sign out</button>
<button class="secondary">Stay signed in</button>
</div>
</form>`,
  })
}
