import { type Html, html } from '@icosa/pages'
import type { ClientView } from '../views.ts'
import { webAddress } from './address.ts'

/** A name that somebody chose. `bdi` keeps its writing direction from turning the words around it. */
export const nameOf = (client: ClientView): Html => html`<bdi class="name">${client.name}</bdi>`

/** The logo in a box of fixed size, or the first letter of the name. */
export function clientMark(client: ClientView): Html {
  const logo = webAddress(client.logoUri, ['https:'])
  if (logo)
    return html`<img class="mark" src="${logo}" alt="Logo of ${client.name}" width="48" height="48" referrerpolicy="no-referrer">`
  const [letter] = client.name.match(/[\p{L}\p{N}]/u) ?? []
  return html`<span class="mark" aria-hidden="true">${letter?.toUpperCase()}</span>`
}

/** Where the application lives, so that a borrowed name is noticed. */
export function hostOf(client: ClientView): string | undefined {
  const address = webAddress(client.uri)
  return address && new URL(address).host
}

/** The application's own terms, in a tab of their own: reading them does not lose the step. */
export function policies(client: ClientView): Html | undefined {
  const links = [
    { href: webAddress(client.policyUri), says: 'Its privacy policy' },
    { href: webAddress(client.tosUri), says: 'Its terms' },
  ].flatMap(({ href, says }) => (href ? [newTab(href, says)] : []))
  return links.length === 0 ? undefined : html`<p class="links muted">${links}</p>`
}

export const newTab = (href: string, says: string): Html =>
  html`<a href="${href}" target="_blank" rel="noopener noreferrer">${says}<span class="unseen"> (opens a new tab)</span></a>`
