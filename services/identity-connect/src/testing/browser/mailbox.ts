import { parsed } from '../../people/testing/service.ts'
import type { IdentityApp } from '../app.ts'

/** The link of the one mail to an address whose subject begins like this. */
export async function linkMailedTo(identity: IdentityApp, email: string, subject: string): Promise<string> {
  const mails = (await identity.mails()).map(parsed)
  const found = mails.filter((mail) => mail.to === email && mail.subject.startsWith(subject))
  const [mail] = found
  if (!mail || found.length > 1) throw new Error(`${found.length} mails '${subject}' went to ${email}`)
  const text = mail.raw.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
  return /^http\S+\?token=\S+$/m.exec(text)?.[0] ?? ''
}
