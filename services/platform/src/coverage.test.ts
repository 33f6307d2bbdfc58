import { coverService } from '@icosa/testing/cover'
import { platform } from './index.ts'

coverService(platform, {
  fields: {
    moveClock: 'an action: src/platform.test.ts',
    resetState: 'an action: src/platform.test.ts',
  },
})
