import { signedServer } from '@icosa/dialects/signed/server'
import { type Service, serviceWithRuntime } from '@icosa/kernel'
import { alarmOperations } from './alarm-instances/handlers.ts'
import { alarmModelOperations } from './alarm-models/handlers.ts'
import { analyses } from './analysis/handlers.ts'
import { eventBackups } from './backups.ts'
import { sweep } from './catalog/jobs.ts'
import { deliveriesTo } from './deliveries/jobs.ts'
import { deliveryFailureOperations } from './delivery-failures/handlers.ts'
import { detectorModelOperations } from './detector-models/handlers.ts'
import { detectorOperations } from './detectors/handlers.ts'
import { evaluateJob } from './evaluation/jobs.ts'
import { hasWork, lookEveryMs, lookJob } from './evaluation/look.ts'
import { inputOperations } from './inputs/handlers.ts'
import { loggingOptions } from './logging/handlers.ts'
import { messageOperations } from './messages/handlers.ts'
import { serviceName, signingNames } from './names.ts'
import { retention } from './retention.ts'
import { type ServiceRuntime, startWith } from './runtime.ts'
import { defaultSettings, type EventDetectionSettings } from './settings.ts'
import { api } from './shapes/contract.ts'
import { tagOperations } from './tags/handlers.ts'
import { views } from './views.ts'

export { defaultSettings, type EventDetectionSettings } from './settings.ts'

const hourMs = 3_600_000

export function eventDetection(settings: EventDetectionSettings = defaultSettings): Service {
  const deliveries = deliveriesTo(settings)
  const evaluate = evaluateJob(deliveries.enqueue)
  const look = lookJob(evaluate)
  return serviceWithRuntime<ServiceRuntime>({
    letter: 'T',
    name: serviceName,
    title: 'Event detection',
    moves: 'withRows',
    views,
    apis: [
      {
        dialect: signedServer(api, { region: settings.region, signingNames }),
        resources: {
          Messages: messageOperations,
          Detectors: detectorOperations,
          Alarms: alarmOperations({ evaluate, send: deliveries.enqueue }),
          Inputs: inputOperations(settings),
          DetectorModels: detectorModelOperations(settings),
          AlarmModels: alarmModelOperations(settings),
          Analyses: analyses(settings),
          Tags: tagOperations(settings),
          Logging: loggingOptions,
          DeliveryFailures: deliveryFailureOperations,
        },
      },
    ],
    start: startWith(evaluate),
    migrations: new URL('../migrations/', import.meta.url),
    retention,
    backups: eventBackups(settings.region),
    jobs: [evaluate, look, deliveries.job, sweep],
    schedules: [
      { job: look, everyMs: lookEveryMs, hasWork },
      { job: sweep, everyMs: hourMs },
    ],
  })
}
