import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { group, type Kind, oneOf, Refusal, setting, text, url, type ValuesOf } from '@icosa/settings'

/** A file whose content is what counts. */
const fileContent: Kind<string> = {
  is: 'a file that can be read',
  example: '/etc/icosa/theme.css',
  read(file) {
    try {
      return readFileSync(file, 'utf8')
    } catch (error) {
      throw new Refusal((error as Error).message)
    }
  },
}

/** What an operator decides about the identity service. */
export const settings = group({
  signUp: setting('ICOSA_IDENTITY_SIGN_UP', oneOf('invitation', 'open'), {
    default: 'invitation',
    development: 'open',
    meaning: 'Whether anybody may make an account, or only who was invited (`icosa people invite`).',
  }),
  brand: setting('ICOSA_IDENTITY_BRAND', text({ is: 'a name', example: 'Icosa' }), {
    default: 'Icosa',
    meaning: 'The name on the pages for people and in mails.',
  }),
  theme: setting('ICOSA_IDENTITY_THEME', fileContent, {
    otherwise: 'our own style sheet alone',
    meaning:
      'A style sheet that is loaded after ours; it can set `--accent`, `--accent-text`, `--surface`, `--text`, `--muted`, `--line`, `--radius` and `--font`.',
  }),
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
})

/** How mail leaves: through a server, or into a folder where a developer can read it. */
export type MailTransport =
  | { readonly kind: 'smtp'; readonly url: string }
  | { readonly kind: 'directory'; readonly path: string }

export interface IdentitySettings {
  /** The name that people see on the pages. */
  readonly brand: string
  /** Whether anybody may make an account, or only who was invited. */
  readonly signUp: 'open' | 'invitation'
  readonly mail: { readonly from: string; readonly transport: MailTransport }
  /** A style sheet that is loaded after ours: colours, font, corners. */
  readonly theme?: string | undefined
}

/** Mail for which there is no server goes into a folder of the platform's data. */
export function identitySettings(values: ValuesOf<typeof settings>, dataDirectory: string): IdentitySettings {
  const { smtpUrl, mailFrom, ...rest } = values
  const transport: MailTransport = smtpUrl
    ? { kind: 'smtp', url: smtpUrl }
    : { kind: 'directory', path: join(dataDirectory, 'mail') }
  return { ...rest, mail: { from: mailFrom, transport } }
}

export const defaultSettings: IdentitySettings = identitySettings(settings.read({}), '.icosa')
