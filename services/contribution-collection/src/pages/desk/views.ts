import { attribute, type Html, html, type Page } from '@icosa/pages'
import { type Action, actions, type State, states } from '../../contributions/states.ts'
import type { ShownContribution } from '../../contributions/view.ts'
import { page } from '../layout.ts'
import { script } from './script.ts'

export interface Picture {
  readonly src: string
  readonly width: number | undefined
  readonly height: number | undefined
  /** Full-size rendition. */
  readonly href: string
  readonly kind: string
}

export interface Item {
  readonly contribution: ShownContribution
  readonly pictures: readonly Picture[]
  readonly flags: readonly { readonly type: string | null; readonly notes: string | null }[]
}

export interface Desk {
  readonly base: string
  readonly state: State
  readonly items: readonly Item[]
  readonly waiting: number
  readonly next: string | undefined
  readonly user: string
  /** The last moderation. */
  readonly done?: { readonly id: string; readonly action: Action } | undefined
  readonly problem?: string | undefined
}

const style = `
body{grid-template-columns:minmax(0,60rem)}
.bar{display:flex;flex-wrap:wrap;gap:.75rem 1.25rem;align-items:center;justify-content:space-between}
.bar form{display:block}.bar button{width:auto;min-height:2.5rem}
nav ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.5rem}
nav a{display:block;padding:.5rem .875rem;border:1px solid var(--line);border-radius:2rem;text-decoration:none}
nav a[aria-current]{background:var(--accent);color:var(--accent-text);border-color:transparent}
.queue{list-style:none;padding:0;display:grid;gap:1rem}
.item{display:grid;gap:.75rem;padding:1rem;border:1px solid var(--line);border-radius:var(--radius)}
.item:focus{outline:3px solid var(--accent);outline-offset:2px}
.pictures{display:flex;gap:.5rem;flex-wrap:wrap}.pictures a{display:block;max-width:100%}
.pictures img{display:block;max-width:100%;height:12rem;width:auto;object-fit:contain;border-radius:.375rem;background:var(--page)}
.what{display:grid;gap:.5rem;min-width:0}
.text{white-space:pre-line}
.decide{display:grid;gap:.75rem}
.choices{display:grid;grid-template-columns:repeat(3,1fr);gap:.5rem}
.choices button{padding:.25rem 0;font-size:.9375rem;overflow-wrap:normal}
.choices .reject{background:var(--danger);color:var(--surface)}
kbd{font:inherit;font-weight:600;border:1px solid var(--line);border-radius:.25rem;padding:0 .375rem;background:var(--page);color:var(--text)}
@media(min-width:48rem){.item{grid-template-columns:minmax(0,1.3fr) minmax(0,1fr);align-items:start}.item>.decide{grid-column:2}.item>.what{grid-row:1/3}}
`

export function signInPage(base: string, problem?: string, contribution?: string): Page {
  const back = contribution !== undefined && html`<input type="hidden" name="contribution" value="${contribution}">`
  return page({
    title: 'Moderation desk',
    problem,
    content: html`<h1>Moderation desk</h1>
<form method="post" action="${base}/sign-in">${back}
<div class="field"><label for="username">Name</label>
<input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required></div>
<div class="field"><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required></div>
<button>Sign in</button></form>
<form method="post" action="${base}/sign-in">${back}
<div class="field"><label for="key">Or a newsroom key</label>
<input id="key" name="key" type="password" autocomplete="off" required></div>
<button class="secondary">Sign in with the key</button></form>`,
  })
}

const choices: readonly (readonly [Action, string])[] = [
  ['approve', 'Approve'],
  ['reject', 'Reject'],
  ['escalate', 'Escalate'],
]

function pictureOf({ src, href, kind, width, height }: Picture, index: number): Html {
  const size = [attribute('width', width), attribute('height', height)]
  return html`<a href="${href}" target="_blank" rel="noreferrer"><img src="${src}" alt="${kind} ${index + 1}, opens full size" loading="lazy"${size}></a>`
}

function whereOf({ place }: ShownContribution): string | undefined {
  if (!place) return undefined
  const { latitude, longitude } = place.latLong ?? {}
  const parts = [place.name, place.country, latitude === undefined ? undefined : `${latitude}, ${longitude}`]
  return parts.filter(Boolean).join(', ')
}

function itemOf({ base, state }: Desk, { contribution, pictures, flags }: Item): Html {
  const { id, headline, body, attribution, assignment, created, mediaUsages } = contribution
  const where = whereOf(contribution)
  const waiting = mediaUsages.length - pictures.length
  const others = choices.filter(([action]) => actions[action].resultingState.id !== state)
  return html`<li class="item" id="c${id}" tabindex="-1" aria-labelledby="h${id}"><div class="what">
<h2 id="h${id}">${headline === '' ? 'No headline' : headline}</h2>
<p class="muted">${attribution === '' ? 'Anonymous' : attribution}, <time datetime="${created}">${created.slice(0, 16).replace('T', ' ')}</time>, for ${assignment.name}${where !== undefined && html`, ${where}`}</p>
${body !== undefined && html`<p class="text">${body}</p>`}
${pictures.length > 0 && html`<div class="pictures">${pictures.map(pictureOf)}</div>`}
${waiting > 0 && html`<p class="muted">Files without a preview: ${waiting}</p>`}
${flags.map(({ type, notes }) => html`<p class="problem">Flagged${type !== null && html` as ${type}`}${notes !== null && html`: ${notes}`}</p>`)}
</div>
<form class="decide" method="post" action="${base}/contributions/${id}">
<input type="hidden" name="state" value="${state}">
<div class="field"><label for="n${id}">Notes for other moderators</label><input id="n${id}" name="notes" maxlength="5000" autocomplete="off"></div>
<div class="choices">${others.map(
    ([action, label]) => html`<button name="action" value="${action}" class="${action}">${label}</button>`,
  )}</div></form></li>`
}

function doneOf({ base, state, done }: Desk): Html | undefined {
  if (!done) return undefined
  const { resultingState } = actions[done.action]
  return html`<form method="post" action="${base}/contributions/${done.id}" class="bar"><p role="status">Contribution ${done.id}: ${resultingState.label.toLowerCase()}.</p>
<input type="hidden" name="state" value="${state}"><button class="secondary" name="action" value="reset">Return it to the queue</button></form>`
}

export function deskPage(desk: Desk): Page {
  const { base, state, items, waiting, next, user, problem } = desk
  return page({
    title: `${states[state].label}: ${waiting} – Moderation desk`,
    problem,
    style,
    script,
    content: html`<div class="bar"><h1>Moderation desk</h1>
<form method="post" action="${base}/sign-out"><button class="secondary">Sign out ${user}</button></form></div>
<nav aria-label="Queues"><ul>${(Object.keys(states) as State[]).map(
      (other) =>
        html`<li><a href="${base}?state=${other}"${attribute('aria-current', other === state ? 'page' : undefined)}>${states[other].label}</a></li>`,
    )}</ul></nav>
<p class="muted" id="count" role="status">${waiting === 0 ? 'The queue is empty.' : `${waiting} in this queue.`}</p>
${doneOf(desk)}
<p class="muted keys" hidden><kbd>j</kbd> next, <kbd>k</kbd> back, <kbd>a</kbd> approve, <kbd>r</kbd> reject, <kbd>e</kbd> escalate, <kbd>n</kbd> notes, <kbd>o</kbd> open the picture</p>
<ul class="queue">${items.map((item) => itemOf(desk, item))}</ul>
${next !== undefined && html`<a class="button secondary" href="${base}?state=${state}&amp;after=${next}">Older contributions</a>`}`,
  })
}
