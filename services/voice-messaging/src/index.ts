import { signedServer } from '@icosa/dialects/signed/server'
import { type Service, serviceWithRuntime } from '@icosa/kernel'
import * as calls from './calls/store.ts'
import { api } from './configuration-sets/contract.ts'
import { configurationSets } from './configuration-sets/handlers.ts'
import { dialJob } from './dialing/dial.ts'
import { lookEveryMs, lookJob, tidyEveryMs, tidyJob } from './dialing/upkeep.ts'
import { eventDestinations } from './event-destinations/handlers.ts'
import { deliverJob } from './events/deliver.ts'
import { messages } from './messages/handlers.ts'
import { serviceName, signingNames } from './names.ts'
import { type ServiceRuntime, startWith } from './runtime.ts'
import { defaultSettings, type VoiceSettings } from './settings.ts'
import { views } from './views.ts'

export { defaultSettings, type VoiceSettings } from './settings.ts'

/** Voice messages by telephone, and call events. */
export function voiceMessaging(settings: VoiceSettings = defaultSettings): Service {
  const { region } = settings
  const deliver = deliverJob(settings)
  const dial = dialJob({ deliver, settings })
  const look = lookJob(dial)
  const tidy = tidyJob(deliver)
  return serviceWithRuntime<ServiceRuntime>({
    letter: 'M',
    name: serviceName,
    title: 'Voice Messaging',
    moves: 'withRows',
    views,
    apis: [
      {
        dialect: signedServer(api, { region, signingNames }),
        resources: {
          ConfigurationSets: configurationSets(settings),
          EventDestinations: eventDestinations(settings, deliver),
          Messages: messages(settings, dial),
        },
      },
    ],
    start: startWith(settings),
    migrations: new URL('../migrations/', import.meta.url),
    blobs: { '': 'recordings: written after the row of their call, and deleted with it' },
    retention: {
      calls: calls.retention,
      events: 'deleted with their call',
      deliveries: { column: 'created_at', keepDays: 14 }, // maximum downtime of a destination
      configuration_sets: 'deleted by their tenants',
      event_destinations: 'deleted with their configuration set',
      allowances: 'one per tenant',
    },
    jobs: [dial, deliver, look, tidy],
    schedules: [
      { job: look, everyMs: lookEveryMs, hasWork: calls.anyDue },
      { job: tidy, everyMs: tidyEveryMs },
    ],
  })
}
