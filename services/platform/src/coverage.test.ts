import { coverService } from '@icosa/testing/cover'
import { platform } from './index.ts'

coverService(platform, {
  seed: async () => ({ service: 'platform', faultId: 'f1', snapshot: 'empty' }),
  // Services are the same for every tenant. Faults and snapshots are the node's: tests/console/operate.test.ts.
  creating: [
    'getServiceCatalogue',
    'removeFault',
    'saveSnapshot',
    'restoreSnapshot',
    'deleteSnapshot',
    'compareSnapshots',
  ],
  fields: {
    addFault: 'an action: tests/console/operate.test.ts',
    moveClock: 'an action: src/platform.test.ts',
    resetState: 'an action: src/platform.test.ts',
    createTenant: 'an action: tests/kits/kits.test.ts',
    settleJobs: 'an action: tests/kits/kits.test.ts',
  },
})
