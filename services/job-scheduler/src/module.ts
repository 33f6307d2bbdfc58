import { brokerNeed } from '@icosa/brokers/operator'
import type { ServiceModule } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { ownTokenUrl, settings } from './settings.ts'

export const module: ServiceModule<ValuesOf<typeof settings>> = {
  settings,
  async create({ tokenUrl, ...values }, { baseUrl }) {
    const { jobScheduler } = await import('./index.ts')
    return jobScheduler({ ...values, tokenUrl: tokenUrl ?? ownTokenUrl(baseUrl) })
  },
  gaps: () => import('./unsupported.ts'),
  journal: () => import('./history/journal.ts'),
  needs: [
    brokerNeed('broker of queues', 'receives messages of queue actions', ({ queue }) => [queue]),
    brokerNeed('broker of topics', 'receives messages of topic actions', ({ topic }) => [topic]),
  ],
}
