import { readFileSync } from 'node:fs'
import type { MailSettings } from '@icosa/delivery/mail'
import { mailBy, mailSettings } from '@icosa/delivery/mail-settings'
import { group, type Kind, oneOf, Refusal, setting, text, type ValuesOf } from '@icosa/settings'

/** Reads the content of a file. */
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

export const settings = group({
  signUp: setting('ICOSA_IDENTITY_SIGN_UP', oneOf('invitation', 'open'), {
    default: 'invitation',
    development: 'open',
    meaning: 'Whether anyone may sign up, or only invited users (`icosa people invite`).',
  }),
  brand: setting('ICOSA_IDENTITY_BRAND', text({ is: 'a name', example: 'Icosa' }), {
    default: 'Icosa',
    meaning: 'The name on pages and in mails.',
  }),
  theme: setting('ICOSA_IDENTITY_THEME', fileContent, {
    otherwise: 'only our own style sheet',
    meaning:
      'A style sheet loaded after ours; it can set `--accent`, `--accent-text`, `--surface`, `--text`, `--muted`, `--line`, `--radius` and `--font`.',
  }),
  ...mailSettings,
})

export interface IdentitySettings {
  /** The name shown on pages. */
  readonly brand: string
  readonly signUp: 'open' | 'invitation'
  readonly mail: MailSettings
  /** A style sheet loaded after ours: colours, font, corners. */
  readonly theme?: string | undefined
}

export function identitySettings(
  values: ValuesOf<typeof settings>,
  developmentDirectory: string | undefined,
): IdentitySettings {
  const { smtpUrl, mailFrom, ...rest } = values
  return { ...rest, mail: mailBy({ smtpUrl, mailFrom }, developmentDirectory) }
}

export const defaultSettings: IdentitySettings = identitySettings(settings.read({}), '.icosa')
