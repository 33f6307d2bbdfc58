import { coverService } from '@icosa/testing/cover'
import { configurationStores } from './index.ts'
import { seed } from './testing/seed.ts'

coverService(configurationStores(), {
  seed,
  fields: {
    ConfigurationStores_RegenerateKey: 'an action: src/access-keys/access-keys.test.ts',
    '* identity.type': 'refused except None: src/stores/refused.test.ts',
    '*.createMode': 'a mode of creation: src/deleted-stores/deleted-stores.test.ts',
  },
})
