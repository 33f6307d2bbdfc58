import { coverService } from '@icosa/testing/cover'
import { configurationStores } from './index.ts'
import { seed } from './testing/seed.ts'

coverService(configurationStores(), {
  seed,
  fields: {
    ConfigurationStores_RegenerateKey: 'an action: src/access-keys/access-keys.test.ts',
    '* identity.type': 'None removes the identity: src/stores/stores.test.ts',
    '*.userAssignedIdentities': 'shown with ids of their own, gone with null: src/stores/stores.test.ts',
    'Snapshots_Create composition_type': 'null is the usual one: src/snapshots/snapshots.test.ts',
    'Snapshots_Create retention_period': 'null is the usual one: src/snapshots/snapshots.test.ts',
  },
})
