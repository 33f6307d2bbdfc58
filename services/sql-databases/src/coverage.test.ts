import { coverService } from '@icosa/testing/cover'
import { dropPhysical, testService } from './testing/app.ts'
import { seed } from './testing/seed.ts'

coverService(testService(), { seed, cleanUp: ({ platform }) => dropPhysical(platform.database) })
