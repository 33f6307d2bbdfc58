/** Renders every page, with each text of its view passed through `text`. URLs and times stay valid. */
import { accountPage } from '../account/account.ts'
import { errorPage } from '../error.ts'
import { messagePage } from '../message.ts'
import { forgotPage } from '../recovery/forgot.ts'
import { resetPage } from '../recovery/reset.ts'
import { verifyPage } from '../recovery/verify.ts'
import { consentPage } from '../sign-in/consent.ts'
import { handoverPage, modalPage } from '../sign-in/modal.ts'
import { signInPage } from '../sign-in/sign-in.ts'
import { signOutPage } from '../sign-in/sign-out.ts'
import { signUpPage } from '../sign-in/sign-up.ts'
import type { AccountView, ClientView, Display, Frame } from '../views.ts'

type Text = (calm: string) => string

export const base = '/identity-connect'
export const action = `${base}/interaction/uid`

export const calm: Text = (text) => text

export function frameOf(text: Text, display: Display = 'page'): Frame {
  const [problem, notice] = [text('That is not right.'), text('Your password was changed.')]
  return { base, brand: text('Icosa'), display, themed: true, problem, notice }
}

export function clientOf(text: Text): ClientView {
  const at = (path: string) => `https://notes.example/${path}?${text('a')}`
  const [uri, logoUri, policyUri, tosUri] = [at(''), at('logo'), at('privacy'), at('terms')]
  return { name: text('Example Notes'), uri, logoUri, policyUri, tosUri }
}

export function accountOf(text: Text, frame = frameOf(text)): AccountView {
  const since = new Date('2030-03-14T23:30:00Z')
  const profile = ['name', 'given_name', 'family_name', 'phone_number', 'locale', 'zoneinfo', 'street_address']
  const address = ['locality', 'region', 'postal_code', 'country']
  return {
    ...frame,
    person: {
      email: text('ada@example.com'),
      emailVerified: false,
      hasPassword: true,
      profile: Object.fromEntries([...profile, ...address].map((name) => [name, text('some')])),
    },
    passkeys: [{ id: text('id'), name: text('My laptop'), addedAt: since, usedAt: since }],
    sessions: [{ id: text('id'), isThis: true, since, browser: text('Firefox'), clients: [text('Example Notes')] }],
    grants: [{ clientId: text('id'), client: clientOf(text), scopes: [text('Your name')], since }],
    problemAt: 'delete',
  }
}

export function everyPage(text: Text, display?: Display) {
  const frame = frameOf(text, display)
  const client = clientOf(text)
  const step = { ...frame, action, client }
  const [email, name, token] = [text('ada@example.com'), text('Ada Lovelace'), text('token')]
  const account = accountOf(text, frame)
  const scopes = [
    { scope: 'email', label: text('Your e-mail address'), shares: [email], isNew: true },
    { scope: 'profile', label: text('Your name'), shares: [name], isNew: false },
    { scope: 'offline_access', label: text('The same while you are away'), shares: [], isNew: true },
  ]
  return {
    'sign-in': signInPage({ ...step, email, signUpOffered: true }),
    'sign-up': signUpPage({ ...step, name, email, emailFixed: false }),
    'sign-up by invitation': signUpPage({ ...step, name, email, emailFixed: true }),
    consent: consentPage({ ...step, person: { name, email }, scopes }),
    forgot: forgotPage({ ...frame, email }),
    reset: resetPage({ ...frame, token }),
    verify: verifyPage({ ...frame, token, email, isOwner: true }),
    'verify elsewhere': verifyPage({ ...frame, token, email, isOwner: false }),
    account: accountPage(account),
    'account without a password': accountPage({ ...account, person: { ...account.person, hasPassword: false } }),
    modal: modalPage({ ...frame, client, address: `${base}/authorize?${text('a')}` }),
    'end of the window of a modal': handoverPage({ ...frame, client, outcome: `https://rp.example/cb?${text('a')}` }),
    'sign-out': signOutPage({ ...frame, client, action: `${base}/session/end/confirm`, secret: token }),
    message: messagePage({
      ...frame,
      title: text('Done'),
      text: text('Go on.'),
      link: { href: base, label: text('On') },
    }),
    error: errorPage({
      ...frame,
      title: text('No'),
      text: text('Stop.'),
      error: text('code'),
      description: text('why'),
    }),
  }
}
