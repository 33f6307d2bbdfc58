import { job } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { momentOf } from '../shapes/moments.ts'
import { findUser } from '../users/store.ts'
import { findEvent } from './store.ts'

export interface EventMail {
  readonly user: string
  readonly event: string
  readonly category: string
}

/** Retries for about half an hour, which outlasts greylisting. */
const retries = 11

/** Mails an event to its user. Names and amounts stay in the bank: mail is not encrypted on its way. */
export const mailEvent = job<EventMail, ServiceRuntime>('mailEvent', {
  retries,
  async run({ user: id, event: eventId, category }, { db, tenant, runtime, log }) {
    const [user, event] = [await findUser(db, tenant, id), await findEvent(db, tenant, id, eventId)]
    if (!user || !event) return
    const subject = `${category.charAt(0)}${category.slice(1).toLowerCase().replaceAll('_', ' ')}`
    const url = `${runtime.publicUrl}/v1/user/${id}/event/${eventId}`
    const text = `${subject}, at ${momentOf(event.createdAt).slice(0, 19)} UTC.\n\n${url}\n`
    const html = `<p>${subject}, at ${momentOf(event.createdAt).slice(0, 19)} UTC.</p><p><a href="${url}">${url}</a></p>`
    await runtime.sendMail(
      { id: `banking-${tenant}-${eventId}`, to: user.email, subject, text, html, date: event.createdAt },
      log,
    )
  },
})
