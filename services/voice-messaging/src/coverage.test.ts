import { coverService } from '@icosa/testing/cover'
import { defaultSettings, voiceMessaging } from './index.ts'
import { seed } from './testing/seed.ts'

const destination = 'src/event-destinations/event-destinations.test.ts'

coverService(voiceMessaging({ ...defaultSettings, simulate: true }), {
  seed,
  fields: {
    SendVoiceMessage: 'an action: src/messages/messages.test.ts',
    'CreateConfigurationSetEventDestination EventDestinationName': `returned as Name: ${destination}`,
    'CreateConfigurationSetEventDestination EventDestination.MatchingEventTypes': `returned in a fixed order: ${destination}`,
    'UpdateConfigurationSetEventDestination EventDestination.MatchingEventTypes': `returned in a fixed order: ${destination}`,
  },
})
