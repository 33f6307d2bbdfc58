import { html } from '@icosa/pages'
import { webAddress } from '../elements/address.ts'
import { nameOf } from '../elements/client.ts'
import { page } from '../elements/layout.ts'
import type { HandoverView, ModalView } from '../views.ts'

/** All that a frame shows: a page around it could hide what it says, or lay something over it. */
export function modalPage(view: ModalView): string {
  const { client, brand, address } = view
  return page(view, {
    title: 'Sign in',
    lead: html`to go on to ${nameOf(client)}`,
    client,
    scripts: ['modal'],
    content: html`<p>${brand} asks you in a window of its own, where you see whose page it is.</p>
<p><a class="button" href="${address}" target="_blank" rel="opener">Continue<span class="unseen"> (opens a new window)</span></a></p>`,
  })
}

/** The end of that window: its script gives the outcome to the frame. */
export function handoverPage(view: HandoverView): string {
  const { client, outcome } = view
  return page(view, {
    title: 'Done',
    lead: html`You go back to ${nameOf(client)}.`,
    client,
    scripts: ['handover'],
    content: html`<p><a class="button" href="${webAddress(outcome)}" id="outcome">Go on</a></p>`,
  })
}
