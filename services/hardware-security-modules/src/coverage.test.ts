import { coverService } from '@icosa/testing/cover'
import { hardwareSecurityModules } from './index.ts'
import { newFolder } from './testing/app.ts'
import { seed } from './testing/seed.ts'

coverService(hardwareSecurityModules({ folder: newFolder(), modules: 1_000 }), {
  seed,
  fields: {
    Keys_Unwrap: 'an action: src/keys/wrapping.test.ts',
    'Keys_Make size': 'for RSA and AES keys, while the seed creates an EC key: src/keys/keys.test.ts',
    'Keys_Make operations': 'depend on the type: src/keys/keys.test.ts',
  },
})
