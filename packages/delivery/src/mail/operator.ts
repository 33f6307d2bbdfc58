import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { found, missing, type Need, reachable } from '@icosa/module'
import { setting, text, url } from '@icosa/settings'
import type { MailSettings, MailTransport } from './transport.ts'

/** Fallback folder for mail without a server. */
export const mailFolder = (dataDirectory: string) => join(dataDirectory, 'mail')

/** Mail settings, shared by all services that send mail. */
export const mailSettings = {
  smtpUrl: setting(
    'ICOSA_SMTP_URL',
    url({
      schemes: ['smtp:', 'smtps:', 'file:'],
      is: 'the address of a mail server, or that of a folder',
      example: 'smtp://user:password@mail.example.com:587',
    }),
    {
      required: true,
      otherwise: 'files in the folder `mail` of the data folder',
      secret: true,
      meaning:
        'The server for outgoing mail, with STARTTLS, or with TLS from the start (`smtps:`). `file:///folder` writes mails to a folder instead, for another program to send.',
    },
  ),
  mailFrom: setting('ICOSA_MAIL_FROM', text({ is: 'a sender', example: 'Icosa <no-reply@example.com>' }), {
    default: 'Icosa <no-reply@localhost>',
    meaning: 'The sender of mails.',
  }),
}

/** In development mode, mail without a server goes into a folder. */
export function mailBy(
  { smtpUrl, mailFrom }: { readonly smtpUrl: string | undefined; readonly mailFrom: string },
  developmentDirectory: string | undefined,
): MailSettings {
  return { from: mailFrom, transport: transportOf(smtpUrl, developmentDirectory) }
}

function transportOf(url: string | undefined, developmentDirectory: string | undefined): MailTransport {
  if (url?.startsWith('file:')) return { kind: 'directory', path: fileURLToPath(url) }
  if (url !== undefined) return { kind: 'smtp', url }
  return developmentDirectory === undefined
    ? { kind: 'none' }
    : { kind: 'directory', path: mailFolder(developmentDirectory) }
}

/** Checks that the configured mail server is reachable. */
export const mailServer = (purpose: string): Need<{ readonly smtpUrl: string | undefined }> => ({
  name: 'mail server',
  purpose,
  isOptional: true,
  remedy: 'Set ICOSA_SMTP_URL to the address of a mail server, such as smtp://user:password@mail.example.com:587.',
  async check({ smtpUrl }) {
    if (smtpUrl === undefined) return missing('ICOSA_SMTP_URL is not set')
    const { protocol, hostname, port, pathname } = new URL(smtpUrl)
    if (protocol === 'file:') return found(`files in ${pathname}`)
    return reachable(hostname, Number(port || (protocol === 'smtps:' ? 465 : 587)))
  },
})
