import { brokerNeed, isBroker } from '@icosa/brokers/operator'
import type { ServiceModule } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { settings } from './settings.ts'

export const module: ServiceModule<ValuesOf<typeof settings>> = {
  settings,
  create: async (values, { region }) => (await import('./index.ts')).eventDetection({ ...values, region }),
  gaps: () => import('./unsupported.ts'),
  tenancy: () => import('./tenancy.ts'),
  journal: () => import('./commands/journal.ts'),
  needs: [
    brokerNeed('brokers of targets', 'receive deliveries of detectors and alarms', ({ targets }) =>
      Object.values(targets).filter(isBroker),
    ),
  ],
  commands: { events: async () => (await import('./commands/events.ts')).events },
}
