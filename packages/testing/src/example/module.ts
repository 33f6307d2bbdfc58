import type { ServiceModule } from '@icosa/module'
import { type ExampleSettings, settings } from './settings.ts'

/** What a server needs of the service. It loads the service itself only when it is made. */
export const module: ServiceModule<ExampleSettings> = {
  settings,
  create: async (values) => (await import('./index.ts')).exampleWith(values),
  gaps: async () => ({ unsupported: {} }), // there is no original
}
