import { coverService } from '@icosa/testing/cover'
import { defaultSettings, voiceMessaging } from './index.ts'
import { seed } from './testing/seed.ts'

coverService(voiceMessaging({ ...defaultSettings, simulate: true }), { seed })
