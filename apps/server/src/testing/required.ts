import { join } from 'node:path'

/** What `serve` and `worker` of all services require beside the platform's own settings, in a folder of a test. */
export const requiredIn = (folder: string) => ({
  ICOSA_BACKUP_REPOSITORIES: join(folder, 'repositories'),
  ICOSA_FUNCTIONS_DOMAIN: 'none',
  ICOSA_SMTP_URL: 'smtp://127.0.0.1:2525',
})
