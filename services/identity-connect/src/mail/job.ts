import { deliverBy, type MailSettings } from '@icosa/delivery/mail'
import { type Job, job } from '@icosa/kernel'
import { issueToken } from '../links/links.ts'
import { contentOf, type Mail } from './templates.ts'

export type { MailSettings } from '@icosa/delivery/mail'

/** Retries for about half an hour, which outlasts greylisting. */
export function mailJob(settings: MailSettings): Job<Mail> {
  const deliver = deliverBy(settings)
  return job<Mail>('sendMail', {
    retries: 11,
    async run(mail, { transaction, clock, log }) {
      const issued =
        'to' in mail ? { to: mail.to, token: undefined } : await transaction((db) => issueToken(db, clock, mail.link))
      if (!issued) return // no account, or the link has expired
      const link = issued.token === undefined ? mail.page : withToken(mail.page, issued.token)
      await deliver({ id: mail.id, to: issued.to, date: clock.now(), ...contentOf(mail, link) }, log)
    },
  })
}

function withToken(page: string, token: string): string {
  const url = new URL(page)
  url.searchParams.set('token', token)
  return url.href
}
