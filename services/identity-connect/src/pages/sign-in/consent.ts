import { type Html, html } from '@icosa/pages'
import { nameOf, policies } from '../elements/client.ts'
import { page } from '../elements/layout.ts'
import type { ConsentView, ScopeView } from '../views.ts'

export function consentPage(view: ConsentView): string {
  const { action, client } = view
  return page(view, {
    title: 'Allow access',
    lead: html`for ${nameOf(client)}`,
    client,
    scripts: ['consent'],
    content: html`${requested(view)}
${policies(client)}
<p>You will then return there. You can revoke access later in your account.</p>
<p class="muted">You are signed in as ${signedInAs(view)}.</p>
<div class="actions">
<form method="post" action="${action}/consent" data-considered><button>Allow</button></form>
<form method="post" action="${action}/cancel"><button class="secondary">Cancel</button></form>
</div>`,
  })
}

/** Scopes with current values are shared; others, such as offline access, are requested. */
function requested({ brand, client, scopes }: ConsentView): Html {
  const shared = scopes.filter(({ shares }) => shares.length > 0)
  const others = scopes.filter(({ shares }) => shares.length === 0)
  const isMore = scopes.some(({ isNew }) => !isNew)
  if (scopes.length === 0)
    return html`<p>${brand} will tell ${nameOf(client)} that it is you, and nothing else about you.</p>`
  return html`${shared.length > 0 && html`<p>${brand} will tell ${nameOf(client)}:</p>${list(shared, isMore)}`}
${others.length > 0 && html`<p>${shared.length > 0 ? 'It also' : nameOf(client)} asks for:</p>${list(others, isMore)}`}`
}

/** 'New' is shown only next to previously allowed scopes. */
function list(scopes: readonly ScopeView[], isMore: boolean): Html {
  return html`<ul class="rows">${scopes.map(
    ({ label, shares, isNew }) => html`
<li><strong>${label}</strong>${isMore && isNew && html` <span class="tag">New</span>`}${shares.map(
      (value) => html`<span class="muted"><bdi>${value}</bdi></span>`,
    )}</li>`,
  )}
</ul>`
}

const signedInAs = ({ person }: ConsentView) =>
  person.name ? html`<bdi>${person.name}</bdi> (<bdi>${person.email}</bdi>)` : html`<bdi>${person.email}</bdi>`
