import { programNeed, type ServiceModule } from '@icosa/module'
import { settings, settled, type Values } from './settings.ts'

const restic = programNeed(
  { names: ['restic'], versionFlag: 'version' },
  {
    purpose: 'keeps what is backed up, encrypted and each part once',
    remedy: {
      debian: 'sudo apt install restic',
      macos: 'brew install restic',
      windows: 'winget install restic.restic',
      other: 'https://restic.net',
    },
  },
)

export const module: ServiceModule<Values> = {
  settings,
  async create(values, facts) {
    const { backup } = await import('./index.ts')
    return backup(settled(values, facts))
  },
  gaps: () => import('./unsupported.ts'),
  tenancy: () => import('./tenancy.ts'),
  commands: { backup: async () => (await import('./commands/backup.ts')).backup },
  needs: [restic],
}
