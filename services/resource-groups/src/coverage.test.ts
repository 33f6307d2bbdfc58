import { coverService } from '@icosa/testing/cover'
import { resourceGroups } from './index.ts'
import { seed } from './testing/seed.ts'

coverService(resourceGroups(), { seed })
