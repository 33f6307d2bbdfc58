import { resolve } from 'node:path'
import { type Facts, folderMarker } from '@icosa/module'
import { group, setting, text, url, type ValuesOf, wholeNumber } from '@icosa/settings'

export const settings = group({
  repositories: setting(
    'ICOSA_BACKUP_REPOSITORIES',
    text({
      is: "a folder, or a location in S3 in restic's notation",
      example: 's3:https://s3.example.com/bucket/backup',
    }),
    {
      required: true,
      shared: 'workers',
      otherwise: 'the folder `backup` of the data folder',
      meaning: 'Location of the restic repositories, one for each vault: in S3, or in a folder that all workers mount.',
    },
  ),
  s3KeyId: setting('ICOSA_BACKUP_S3_KEY_ID', text({ is: 'the id of an access key', example: 'AKIAEXAMPLE' }), {
    otherwise: 'none is sent',
    meaning: 'The id of the access key with which restic signs in to S3.',
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
  concurrency: setting('ICOSA_BACKUP_AT_ONCE', wholeNumber({ from: 1, to: 64 }), {
    default: '2',
    meaning:
      'Maximum number of restic processes of a worker that write, and that read, at a time. Each needs some 100 MB and most of a core.',
  }),
})

export type Values = ValuesOf<typeof settings>

export interface BackupSettings extends Values {
  readonly region: string
  /** A file that exists in a mounted folder of repositories; undefined in development mode. */
  readonly marker?: string | undefined
}

export const resolveSettings = (values: Values, { region, developmentDirectory }: Facts): BackupSettings => ({
  ...values,
  region,
  marker: developmentDirectory === undefined ? folderMarker : undefined,
  repositories: values.repositories ?? (developmentDirectory && resolve(developmentDirectory, 'backup')),
})
