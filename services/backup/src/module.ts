import { resolve } from 'node:path'
import { programNeed, type ServiceModule } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { settings } from './settings.ts'

const restic = programNeed(
  { names: ['restic'], versionFlag: 'version' },
  {
    purpose: 'keeps what is backed up, encrypted and each part once',
    remedy: { debian: 'sudo apt install restic', macos: 'brew install restic', other: 'https://restic.net' },
  },
)

export const module: ServiceModule<ValuesOf<typeof settings>> = {
  settings,
  async create(values, { region, dataDirectory }) {
    const { backup } = await import('./index.ts')
    return backup({ ...values, region, repositories: values.repositories ?? resolve(dataDirectory, 'backup') })
  },
  absent: () => import('./absent.ts'),
  commands: { backup: async () => (await import('./commands/backup.ts')).backup },
  needs: [restic],
}
