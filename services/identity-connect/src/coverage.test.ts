import { coverService } from '@icosa/testing/cover'
import { identityConnect } from './index.ts'
import { seed } from './testing/seed.ts'

coverService(identityConnect(), { seed })
