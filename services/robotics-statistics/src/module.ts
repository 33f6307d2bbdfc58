import type { ServiceModule } from '@icosa/module'
import { type RoboticsSettings, settings } from './settings.ts'

export const module: ServiceModule<RoboticsSettings> = {
  settings,
  create: async () => (await import('./index.ts')).roboticsStatistics,
  gaps: () => import('./unsupported.ts'),
  commands: { robotics: async () => (await import('./commands/robotics.ts')).robotics },
}
