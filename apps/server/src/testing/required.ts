import { join } from 'node:path'

/** Settings that services require for `serve` and `worker`, with paths in a test's folder. */
export const requiredIn = (folder: string) => ({
  ICOSA_BACKUP_REPOSITORIES: join(folder, 'repositories'),
  ICOSA_FUNCTIONS_DOMAIN: 'none',
  ICOSA_SMTP_URL: 'smtp://127.0.0.1:2525',
})
