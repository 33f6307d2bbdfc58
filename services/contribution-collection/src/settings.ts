import { join } from 'node:path'
import type { MailSettings } from '@icosa/delivery/mail'
import { mailBy, mailSettings } from '@icosa/delivery/mail-settings'
import type { Facts } from '@icosa/module'
import type { RuntimeName } from '@icosa/sandbox'
import { group, oneOf, setting, url, type ValuesOf } from '@icosa/settings'

export const settings = group({
  runtime: setting('ICOSA_CONTRIBUTIONS_RUNTIME', oneOf<RuntimeName>('runsc', 'runc', 'crun', 'bwrap'), {
    default: 'runsc',
    meaning:
      'The sandbox in which video, audio and HEIC files are decoded. `runsc` isolates best; `bwrap` starts fastest.',
  }),
  chatUrl: setting(
    'ICOSA_CONTRIBUTIONS_CHAT_URL',
    url({ schemes: ['https:', 'http:'], is: 'a web address', example: 'https://chat.example.com/hooks/abc' }),
    {
      otherwise: 'only subscriptions whose slackChannel is a webhook URL work',
      secret: true,
      meaning: 'Incoming webhook of a chat, for subscriptions to a channel by name.',
    },
  ),
  ...mailSettings,
})

export interface ContributionSettings {
  /** Base of the URLs in replies. */
  readonly publicUrl: string
  readonly mail: MailSettings
  readonly chatUrl?: string | undefined
  readonly runtime: RuntimeName
  /** Directory of the sandbox, and of films while they are read. */
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
