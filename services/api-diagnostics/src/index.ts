import { armServer } from '@icosa/dialects/arm/server'
import type { Service } from '@icosa/kernel'
import { api } from './diagnostics/contract.ts'
import { diagnostics } from './diagnostics/handlers.ts'
import { originalNamespace, versions } from './names.ts'
import { diagnosticObserver } from './observer/observer.ts'
import { views } from './views.ts'

export const apiDiagnostics: Service = {
  letter: 'D',
  name: 'api-diagnostics',
  title: 'Diagnostics of API services',
  moves: 'withRows',
  views,
  apis: [
    { dialect: armServer(api, { original: originalNamespace, versions }), resources: { Diagnostics: diagnostics } },
  ],
  observe: diagnosticObserver,
  migrations: new URL('../migrations/', import.meta.url),
  retention: { diagnostics: 'deleted by their tenants' },
}
