import { type Html, html } from '@icosa/pages'
import type { ClientView } from '../views.ts'
import { webAddress } from './address.ts'

/** `bdi` isolates the writing direction of a user-chosen name from the text around it. */
export const nameOf = (client: ClientView): Html => html`<bdi class="name">${client.name}</bdi>`

/** The logo in a fixed-size box, or the first letter of the name. */
export function clientMark(client: ClientView): Html {
  const logo = webAddress(client.logoUri, ['https:'])
  if (logo)
    return html`<img class="mark" src="${logo}" alt="Logo of ${client.name}" width="48" height="48" referrerpolicy="no-referrer">`
  const [letter] = client.name.match(/[\p{L}\p{N}]/u) ?? []
  return html`<span class="mark" aria-hidden="true">${letter?.toUpperCase()}</span>`
}

/** The host of the application, so that users notice an imitated name. */
export function hostOf(client: ClientView): string | undefined {
  const address = webAddress(client.uri)
  return address && new URL(address).host
}

/** The application's terms, in a new tab, so that reading them does not lose the step. */
export function policies(client: ClientView): Html | undefined {
  const links = [
    { href: webAddress(client.policyUri), label: 'Its privacy policy' },
    { href: webAddress(client.tosUri), label: 'Its terms' },
  ].flatMap(({ href, label }) => (href ? [newTab(href, label)] : []))
  return links.length === 0 ? undefined : html`<p class="links muted">${links}</p>`
}

export const newTab = (href: string, label: string): Html =>
  html`<a href="${href}" target="_blank" rel="noopener noreferrer">${label}<span class="unseen"> (opens a new tab)</span></a>`
