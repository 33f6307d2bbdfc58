import { coverService } from '@icosa/testing/cover'
import { platform } from './index.ts'

coverService(platform, {
  seed: async () => ({ service: 'platform' }),
  creating: ['getServiceCatalogue'], // services are the same for every tenant
  fields: {
    moveClock: 'an action: src/platform.test.ts',
    resetState: 'an action: src/platform.test.ts',
  },
})
