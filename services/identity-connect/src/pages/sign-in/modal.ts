import { html } from '@icosa/pages'
import { webAddress } from '../elements/address.ts'
import { nameOf } from '../elements/client.ts'
import { page } from '../elements/layout.ts'
import type { HandoverView, ModalView } from '../views.ts'

/** The only page shown in a frame, without prompts: the embedding page could cover or obscure it. */
export function modalPage(view: ModalView): string {
  const { client, brand, address } = view
  return page(view, {
    title: 'Sign in',
    lead: html`to continue to ${nameOf(client)}`,
    client,
    scripts: ['modal'],
    content: html`<p>You sign in to ${brand} in a separate window, where you can check the address.</p>
<p><a class="button" href="${address}" target="_blank" rel="opener">Continue<span class="unseen"> (opens a new window)</span></a></p>`,
  })
}

/** The last page of that window: its script passes the outcome to the frame. */
export function handoverPage(view: HandoverView): string {
  const { client, outcome } = view
  return page(view, {
    title: 'Done',
    lead: html`You are returning to ${nameOf(client)}.`,
    client,
    scripts: ['handover'],
    content: html`<p><a class="button" href="${webAddress(outcome)}" id="outcome">Continue</a></p>`,
  })
}
