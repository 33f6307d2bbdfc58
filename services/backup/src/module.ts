import { programNeed, type ServiceModule } from '@icosa/module'
import { resolveSettings, settings, type Values } from './settings.ts'

const restic = programNeed(
  { names: ['restic'], versionFlag: 'version' },
  {
    purpose: 'stores backups, encrypted and deduplicated',
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
    return backup(resolveSettings(values, facts))
  },
  gaps: () => import('./unsupported.ts'),
  tenancy: () => import('./tenancy.ts'),
  commands: { backup: async () => (await import('./commands/backup.ts')).backup },
  needs: [restic],
}
