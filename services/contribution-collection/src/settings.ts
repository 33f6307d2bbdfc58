import { join } from 'node:path'
import type { MailSettings } from '@icosa/delivery/mail'
import { mailBy, mailSettings } from '@icosa/delivery/mail-settings'
import type { Facts } from '@icosa/module'
import type { RuntimeName } from '@icosa/sandbox'
import { group, oneOf, setting, url, type ValuesOf } from '@icosa/settings'

/** What an operator decides about contributions. */
export const settings = group({
  runtime: setting('ICOSA_CONTRIBUTIONS_RUNTIME', oneOf<RuntimeName>('runsc', 'runc', 'crun', 'bwrap'), {
    default: 'runsc',
    meaning:
      'The sandbox in which films, recordings and HEIC pictures are read. `runsc` stops most; `bwrap` starts fastest.',
  }),
  chatUrl: setting(
    'ICOSA_CONTRIBUTIONS_CHAT_URL',
    url({ schemes: ['https:', 'http:'], is: 'a web address', example: 'https://chat.example.com/hooks/abc' }),
    {
      otherwise: 'only subscriptions whose slackChannel is such an address themselves',
      secret: true,
      meaning: 'An incoming webhook of a chat, to which messages for a channel by name go.',
    },
  ),
  ...mailSettings,
})

export interface ContributionSettings {
  /** Where callers reach the service, for addresses that are part of its replies. */
  readonly publicUrl: string
  readonly mail: MailSettings
  readonly chatUrl?: string | undefined
  readonly runtime: RuntimeName
  /** Where the sandbox keeps what it needs, and films lie while they are read. */
  readonly state: string
}

export function contributionSettings(
  { chatUrl, runtime, ...mail }: ValuesOf<typeof settings>,
  {
    baseUrl,
    scratchDirectory,
    developmentDirectory,
  }: Pick<Facts, 'baseUrl' | 'scratchDirectory' | 'developmentDirectory'>,
): ContributionSettings {
  return {
    publicUrl: `${baseUrl}/contribution-collection`,
    mail: mailBy(mail, developmentDirectory),
    chatUrl,
    runtime,
    state: join(scratchDirectory, 'contributions'),
  }
}

export const defaultSettings: ContributionSettings = contributionSettings(settings.read({}), {
  baseUrl: 'http://127.0.0.1:4000',
  scratchDirectory: '.icosa',
})
