import { parseMail } from '../../people/testing/service.ts'
import type { IdentityApp } from '../app.ts'

/** Returns the link of the only mail to an address whose subject starts with `subject`. */
export async function linkMailedTo(identity: IdentityApp, email: string, subject: string): Promise<string> {
  const mails = (await identity.mails()).map(parseMail)
  const matching = mails.filter((mail) => mail.to === email && mail.subject.startsWith(subject))
  const [mail] = matching
  if (!mail || matching.length > 1) throw new Error(`${matching.length} mails '${subject}' were sent to ${email}`)
  const text = mail.raw.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
  return /^http\S+\?token=\S+$/m.exec(text)?.[0] ?? ''
}
