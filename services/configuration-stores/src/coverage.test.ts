import { coverService } from '@icosa/testing/cover'
import { configurationStores } from './index.ts'
import { seed } from './testing/seed.ts'

coverService(configurationStores(), {
  seed,
  fields: {
    ConfigurationStores_RegenerateKey: 'an action: src/access-keys/access-keys.test.ts',
    '* identity.type': 'refused but for None: src/stores/refused.test.ts',
    '*.userAssignedIdentities': 'refused: src/stores/refused.test.ts',
    '*.createMode': 'says how to make it: src/deleted-stores/deleted-stores.test.ts',
    '*.disableLocalAuth': 'null is the usual one: src/stores/access.test.ts',
    '*.publicNetworkAccess': 'null is the usual one: src/stores/access.test.ts',
    '*.enablePurgeProtection': 'null is the usual one: src/deleted-stores/deleted-stores.test.ts',
    'Snapshots_Create composition_type': 'null is the usual one: src/snapshots/snapshots.test.ts',
    'Snapshots_Create retention_period': 'null is the usual one: src/snapshots/snapshots.test.ts',
  },
})
