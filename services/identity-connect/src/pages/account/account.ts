import { html } from '@icosa/pages'
import { datesIn } from '../elements/dates.ts'
import { page } from '../elements/layout.ts'
import type { AccountView } from '../views.ts'
import { grantsSection, sessionsSection } from './access.ts'
import { profileSection } from './profile.ts'
import { deleteSection, emailSection, passkeysSection, passwordSection } from './security.ts'

const problemLinks = {
  profile: { id: 'profile', label: 'Go to your profile' },
  password: { id: 'password-section', label: 'Go to the password' },
  passkeys: { id: 'passkeys', label: 'Go to the passkeys' },
  delete: { id: 'delete', label: 'Go to deleting your account' },
}

export function accountPage(view: AccountView): string {
  const { base, person, problemAt } = view
  const dates = datesIn(person.profile.zoneinfo)
  return page(view, {
    title: 'Your account',
    lead: html`<bdi>${person.email}</bdi>`,
    beside: html`<form method="post" action="${base}/account/sign-out"><button class="secondary">Sign out</button></form>`,
    shape: 'sections',
    problemLink: problemAt && problemLinks[problemAt],
    scripts: ['password', 'passkey'],
    content: html`${emailSection(view)}
${profileSection(view)}
${passwordSection(view)}
${passkeysSection(view, dates)}
${sessionsSection(view, dates)}
${grantsSection(view, dates)}
${deleteSection(view)}`,
  })
}
