import { type Html, html } from '@icosa/pages'
import { segment } from '../elements/address.ts'
import { clientMark, nameOf } from '../elements/client.ts'
import type { Dates } from '../elements/dates.ts'
import { table } from '../elements/table.ts'
import type { AccountView, GrantedView, SessionView } from '../views.ts'

export function sessionsSection({ base, sessions }: AccountView, { time }: Dates): Html {
  return html`<section aria-labelledby="sessions">
<h2 id="sessions">Where you are signed in</h2>
<p class="muted">If you do not recognize one of these, sign it out and change your password.</p>
${table<SessionView>(
  'sessions',
  [
    {
      head: 'Browser',
      cell: ({ browser, isThis }) => html`<bdi>${browser}</bdi>${isThis && html` <span class="tag">This one</span>`}`,
    },
    { head: 'Since', cell: ({ since }) => time(since) },
    { head: 'Applications', cell: ({ clients }) => names(clients) },
    {
      head: 'Sign out',
      isAction: true,
      cell: ({ id, browser, since }) =>
        html`<form method="post" action="${base}/account/sessions/${segment(id)}/end"><button class="secondary">Sign out<span class="unseen"> ${browser}, signed in since ${time(since)}</span></button></form>`,
    },
  ],
  sessions,
)}
</section>`
}

export function grantsSection({ base, grants }: AccountView, { day }: Dates): Html {
  return html`<section aria-labelledby="grants">
<h2 id="grants">Applications with access</h2>
${grants.length === 0 ? html`<p class="muted">None yet. You are asked before an application learns anything about you.</p>` : grantTable(base, grants, day)}
</section>`
}

function grantTable(base: string, grants: readonly GrantedView[], day: Dates['day']): Html {
  return table<GrantedView>(
    'grants',
    [
      {
        head: 'Application',
        cell: ({ client }) => html`<span class="app">${clientMark(client)}${nameOf(client)}</span>`,
      },
      { head: 'Has access to', cell: ({ scopes }) => names(scopes) },
      { head: 'Since', cell: ({ since }) => day(since) },
      {
        head: 'Revoke',
        isAction: true,
        cell: ({ clientId, client }) =>
          html`<form method="post" action="${base}/account/grants/${segment(clientId)}/revoke"><button class="secondary">Revoke<span class="unseen"> access of ${client.name}</span></button></form>`,
      },
    ],
    grants,
  )
}

const names = (all: readonly string[]): Html =>
  all.length === 0 ? html`None` : html`<ul class="plain">${all.map((name) => html`<li><bdi>${name}</bdi></li>`)}</ul>`
