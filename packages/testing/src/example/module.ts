import type { ServiceModule } from '@icosa/module'
import { type ExampleSettings, settings } from './settings.ts'

/** Module of the service. The service itself is loaded only when it is created. */
export const module: ServiceModule<ExampleSettings> = {
  settings,
  create: async (values) => (await import('./index.ts')).exampleWith(values),
  gaps: async () => ({ unsupported: {} }), // there is no original API
}
