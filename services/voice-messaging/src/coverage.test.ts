import { coverService } from '@icosa/testing/cover'
import { voiceMessaging } from './index.ts'
import { seed } from './testing/seed.ts'

coverService(voiceMessaging(), { seed })
