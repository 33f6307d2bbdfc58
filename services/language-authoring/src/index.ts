import { type Retention, type Service, serviceWithRuntime } from '@icosa/kernel'
import { appBackup } from './backups/backup.ts'
import { originalRoots, serviceName } from './names.ts'
import { pageRoutes } from './page/routes.ts'
import { olderPrediction, prediction } from './prediction/handlers.ts'
import { authoring } from './resources.ts'
import { type ServiceRuntime, startWith } from './runtime.ts'
import { defaultSettings, type LanguageSettings } from './settings.ts'
import { authoringServer, predictionServer } from './shapes/server.ts'
import { clearAway, forgetOld, train } from './training/jobs.ts'
import { views } from './views.ts'

export { defaultSettings, type LanguageSettings } from './settings.ts'

/** Language understanding: authoring, training and prediction. */
export function languageAuthoring(settings: LanguageSettings = defaultSettings): Service {
  return serviceWithRuntime<ServiceRuntime>({
    letter: 'L',
    name: serviceName,
    title: 'Language authoring',
    moves: 'withRows',
    views,
    apis: [
      { dialect: authoringServer(), resources: authoring(settings.baseUrl) },
      {
        name: 'prediction',
        title: 'Language prediction',
        at: '/prediction',
        dialect: predictionServer(originalRoots.prediction, '/prediction'),
        resources: { Prediction: prediction },
      },
      {
        name: 'older-prediction',
        title: 'Language prediction, the interface before',
        at: '/v2',
        dialect: predictionServer(originalRoots.olderPrediction, '/v2'),
        resources: { OlderPrediction: olderPrediction },
      },
    ],
    start: startWith(settings),
    ...(settings.hasPage && {
      routes: pageRoutes,
      tenantRules: { [`/${serviceName}/try`]: { otherwise: 'any' } },
    }),
    migrations: new URL('../migrations/', import.meta.url),
    retention,
    blobs: { 'models/': 'forgetOld, after every training' },
    backups: [appBackup],
    jobs: [train, forgetOld, clearAway],
  })
}

const retention: Retention = {
  apps: 'their tenants delete them',
  versions: 'go with their app',
  utterances: 'go with their version, which has 15,000 at most',
  slots: 'two for an app, and go with it',
  query_logs: { column: 'created_at', keepDays: 30 },
}
