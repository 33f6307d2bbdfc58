import { coverService } from '@icosa/testing/cover'
import { identityConnect } from './index.ts'
import { seed } from './testing/seed.ts'

coverService(identityConnect(), {
  seed,
  fields: { '* grant_types': 'none are those that response_types need: src/clients/metadata.test.ts' },
})
