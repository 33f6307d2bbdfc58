import { brokerNeed } from '@icosa/brokers/operator'
import type { ServiceModule } from '@icosa/module'
import { type SchedulerSettings, settings } from './settings.ts'

export const module: ServiceModule<SchedulerSettings> = {
  settings,
  create: async (values) => (await import('./index.ts')).jobScheduler(values),
  needs: [
    brokerNeed('broker of queues', 'takes the messages of queue actions', ({ queue }) => [queue]),
    brokerNeed('broker of topics', 'takes the messages of topic actions', ({ topic }) => [topic]),
  ],
}
