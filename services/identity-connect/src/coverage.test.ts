import { coverService } from '@icosa/testing/cover'
import { identityConnect } from './index.ts'
import { seed } from './testing/seed.ts'

coverService(identityConnect(), {
  seed,
  fields: { '* grant_types': 'default to those that response_types require: src/clients/metadata.test.ts' },
})
