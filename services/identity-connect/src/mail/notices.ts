import { randomUUID } from 'node:crypto'
import type { JobsOf } from '@icosa/kernel'
import type { PeopleContext } from '../people/context.ts'
import type { Person } from '../people/store.ts'
import type { Notice } from './templates.ts'

/** Notifies a user of a change of their account, if the address is verified. */
export async function notify(
  { sendMail, brand, page }: PeopleContext,
  jobs: JobsOf,
  { email, emailVerified }: Person,
  template: Notice,
): Promise<void> {
  if (!emailVerified) return
  await jobs.enqueue(sendMail, { id: randomUUID(), template, brand, page: page('account'), to: email })
}
