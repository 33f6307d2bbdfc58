import { join } from 'node:path'
import type { Service } from '@icosa/kernel'
import { backup } from '../index.ts'
import { type BackupSettings, settings } from '../settings.ts'
import { thingBackup } from './things.ts'

/** The service, with files in a folder as resources to back up. */
export const testService = (folder: string, more: Partial<BackupSettings> = {}): Service => ({
  ...backup({ ...settings.read({}), region: 'us-east-1', repositories: join(folder, 'repositories'), ...more }),
  backups: [thingBackup(join(folder, 'things'))],
})
