import { resolve } from 'node:path'
import { type Facts, folderMarker } from '@icosa/module'
import { group, setting, text, url, type ValuesOf, wholeNumber } from '@icosa/settings'

/** What an operator decides about backups. */
export const settings = group({
  repositories: setting(
    'ICOSA_BACKUP_REPOSITORIES',
    text({ is: 'a folder, or a place in S3 as restic writes it', example: 's3:https://s3.example.com/bucket/backup' }),
    {
      required: true,
      shared: 'workers',
      otherwise: 'the folder `backup` of the data folder',
      meaning:
        'Where the restic repositories of vaults are, one for each: a place in S3, or a folder that all workers mount.',
    },
  ),
  s3KeyId: setting('ICOSA_BACKUP_S3_KEY_ID', text({ is: 'the id of an access key', example: 'AKIAEXAMPLE' }), {
    otherwise: 'none is sent',
    meaning: 'With which restic signs in to S3.',
  }),
  s3Secret: setting('ICOSA_BACKUP_S3_SECRET', text({ is: 'a secret', example: 'a-long-secret' }), {
    otherwise: 'none is sent',
    secret: true,
    meaning: 'The secret of that access key.',
  }),
  eventsUrl: setting(
    'ICOSA_BACKUP_EVENTS_URL',
    url({ schemes: ['http:', 'https:'], is: 'an http(s) address', example: 'https://events.example.com/backup' }),
    {
      otherwise: 'lines in the log',
      meaning: 'The address to which notifications of vaults are sent as JSON, whatever their topic.',
    },
  ),
  atOnce: setting('ICOSA_BACKUP_AT_ONCE', wholeNumber({ from: 1, to: 64 }), {
    default: '2',
    meaning:
      'How many restic processes of a worker write at a time, and how many read. Each needs some 100 MB and most of a core.',
  }),
})

export type Values = ValuesOf<typeof settings>

export interface BackupSettings extends Values {
  readonly region: string
  /** The file that a mounted folder of repositories holds; undefined in development mode, where it is none of a cell. */
  readonly marker?: string | undefined
}

export const settled = (values: Values, { region, developmentDirectory }: Facts): BackupSettings => ({
  ...values,
  region,
  marker: developmentDirectory === undefined ? folderMarker : undefined,
  repositories: values.repositories ?? (developmentDirectory && resolve(developmentDirectory, 'backup')),
})
