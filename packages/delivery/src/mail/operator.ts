import { join } from 'node:path'
import { missing, type Need, reachable } from '@icosa/module'
import { setting, text, url } from '@icosa/settings'
import type { MailSettings } from './transport.ts'

/** Where mail is written if there is no server for it. */
export const mailFolder = (dataDirectory: string) => join(dataDirectory, 'mail')

/** What an operator decides about mail, for every service that sends any. */
export const mailSettings = {
  smtpUrl: setting(
    'ICOSA_SMTP_URL',
    url({
      schemes: ['smtp:', 'smtps:'],
      is: 'the address of a mail server',
      example: 'smtp://user:password@mail.example.com:587',
    }),
    {
      otherwise: 'files in the folder `mail` of the data folder',
      secret: true,
      meaning: 'The server through which mail leaves: with STARTTLS, or with TLS from the start (`smtps:`).',
    },
  ),
  mailFrom: setting('ICOSA_MAIL_FROM', text({ is: 'a sender', example: 'Icosa <no-reply@example.com>' }), {
    default: 'Icosa <no-reply@localhost>',
    meaning: 'The sender of mails.',
  }),
}

/** Mail for which there is no server goes into a folder of the platform's data. */
export function mailBy(
  { smtpUrl, mailFrom }: { readonly smtpUrl: string | undefined; readonly mailFrom: string },
  dataDirectory: string,
): MailSettings {
  return {
    from: mailFrom,
    transport: smtpUrl ? { kind: 'smtp', url: smtpUrl } : { kind: 'directory', path: mailFolder(dataDirectory) },
  }
}

/** That the mail server of the settings can be reached. */
export const mailServer = (purpose: string): Need<{ readonly smtpUrl: string | undefined }> => ({
  name: 'mail server',
  purpose,
  isOptional: true,
  remedy: 'Set ICOSA_SMTP_URL to the address of a mail server, such as smtp://user:password@mail.example.com:587.',
  async check({ smtpUrl }) {
    if (smtpUrl === undefined) return missing('ICOSA_SMTP_URL is not set')
    const { protocol, hostname, port } = new URL(smtpUrl)
    return reachable(hostname, Number(port || (protocol === 'smtps:' ? 465 : 587)))
  },
})
