/** The input of the mail job. Contains no secret: that of a link is created when the mail is sent. */
export type Mail = {
  /** The same for retries. */
  readonly id: string
  readonly brand: string
  /** The URL of its link, without the secret. */
  readonly page: string
} & (
  | {
      readonly template: 'verify' | 'reset' | 'invitation'
      readonly link: string
      readonly invitedBy?: string | undefined
    }
  | { readonly template: Notice; readonly to: string }
)

export type Notice = 'passkeyAdded' | 'passwordChanged'

export interface Content {
  readonly subject: string
  readonly text: string
  readonly html: string
}

interface Words {
  readonly subject: string
  readonly before: string
  /** The link text. */
  readonly action: string
  readonly after: string
}

/** Contains no anonymous input: attackers could otherwise send text to others in our name. */
const words: Record<Mail['template'], (brand: string, invitedBy: string) => Words> = {
  verify: (brand) => ({
    subject: `Confirm your e-mail address for ${brand}`,
    before: `Someone, hopefully you, created an account at ${brand} with this e-mail address.`,
    action: 'Confirm the address',
    after: 'The link works once, for 24 hours. If it was not you, do nothing: the address stays unconfirmed.',
  }),
  reset: (brand) => ({
    subject: `Choose a new password for ${brand}`,
    before: `Someone, hopefully you, requested a new password for your account at ${brand}.`,
    action: 'Choose a new password',
    after: 'The link works once, for 30 minutes. If it was not you, do nothing: your password does not change.',
  }),
  invitation: (brand, invitedBy) => ({
    subject: `You are invited to ${brand}`,
    before: `${invitedBy || 'Someone'} invites you to ${brand}.`,
    action: 'Accept the invitation',
    after: 'The link works once, for 7 days. If you do not want to join, do nothing.',
  }),
  passkeyAdded: (brand) => ({
    subject: `A passkey was added to your account at ${brand}`,
    before: `A passkey was added to your account at ${brand}. It can be used to sign in without your password.`,
    action: 'View your passkeys',
    after: 'If it was not you, delete it there and change your password.',
  }),
  passwordChanged: (brand) => ({
    subject: `Your password for ${brand} was changed`,
    before: `The password of your account at ${brand} was changed.`,
    action: 'View your account',
    after: 'If it was not you, choose "Forgot password" on the sign-in page, and then check your passkeys.',
  }),
}

/** Renders a mail with its complete link. */
export function contentOf(mail: Mail, link: string): Content {
  const invitedBy = 'invitedBy' in mail && mail.invitedBy?.includes('@') ? mail.invitedBy : ''
  const { subject, before, action, after } = words[mail.template](mail.brand, invitedBy)
  return {
    subject,
    text: `${before}\n\n${action}:\n${link}\n\n${after}\n`,
    html: `<!doctype html>
<html lang="en"><body style="font-family:sans-serif;font-size:16px;line-height:1.5;max-width:36em">
<p>${escaped(before)}</p>
<p><a href="${escaped(link)}">${escaped(action)}</a></p>
<p>${escaped(after)}</p>
</body></html>
`,
  }
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? '')
