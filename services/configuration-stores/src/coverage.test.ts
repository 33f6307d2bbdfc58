import { coverService } from '@icosa/testing/cover'
import { configurationStores } from './index.ts'
import { seed } from './testing/seed.ts'

coverService(configurationStores(), { seed })
