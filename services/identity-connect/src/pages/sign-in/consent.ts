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
    content: html`${asked(view)}
${policies(client)}
<p>Then you go back there. You can change your mind later, in your account.</p>
<p class="muted">You are signed in as ${signedInAs(view)}.</p>
<div class="actions">
<form method="post" action="${action}/consent" data-considered><button>Allow</button></form>
<form method="post" action="${action}/cancel"><button class="secondary">Cancel</button></form>
</div>`,
  })
}

/** What has a value now is shared; everything else, such as access while the person is away, is asked for. */
function asked({ brand, client, scopes }: ConsentView): Html {
  const shared = scopes.filter(({ shares }) => shares.length > 0)
  const others = scopes.filter(({ shares }) => shares.length === 0)
  const isMore = scopes.some(({ isNew }) => !isNew)
  if (scopes.length === 0)
    return html`<p>${brand} will tell ${nameOf(client)} that it is you, and nothing else about you.</p>`
  return html`${shared.length > 0 && html`<p>${brand} will tell ${nameOf(client)}:</p>${list(shared, isMore)}`}
${others.length > 0 && html`<p>${shared.length > 0 ? 'It also' : nameOf(client)} asks for:</p>${list(others, isMore)}`}`
}

/** 'New' says something only where others were allowed before. */
function list(scopes: readonly ScopeView[], isMore: boolean): Html {
  return html`<ul class="rows">${scopes.map(
    ({ says, shares, isNew }) => html`
<li><strong>${says}</strong>${isMore && isNew && html` <span class="tag">New</span>`}${shares.map(
      (each) => html`<span class="muted"><bdi>${each}</bdi></span>`,
    )}</li>`,
  )}
</ul>`
}

const signedInAs = ({ person }: ConsentView) =>
  person.name ? html`<bdi>${person.name}</bdi> (<bdi>${person.email}</bdi>)` : html`<bdi>${person.email}</bdi>`
