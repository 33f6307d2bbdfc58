import { coverService } from '@icosa/testing/cover'
import { hardwareSecurityModules } from './index.ts'
import { newFolder } from './testing/app.ts'
import { seed } from './testing/seed.ts'

coverService(hardwareSecurityModules({ folder: newFolder(), modules: 1_000 }), {
  seed,
  fields: {
    Keys_Unwrap: 'an action: src/keys/wrapping.test.ts',
    'Keys_Make size': 'of RSA and AES keys, and the seed makes one by a curve: src/keys/keys.test.ts',
    'Keys_Make operations': 'those of its type: src/keys/keys.test.ts',
  },
})
