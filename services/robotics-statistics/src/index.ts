import { type Service, serviceWithRuntime } from '@icosa/kernel'
import { roboticsDialect } from './dialect.ts'
import { events } from './events/handlers.ts'
import { listings } from './listings/handlers.ts'
import { serviceName } from './names.ts'
import { pages } from './pages/handlers.ts'
import { calculations } from './points/handlers.ts'
import { rankings } from './rankings/handlers.ts'
import { retention } from './retention.ts'
import { type ServiceRuntime, start } from './runtime.ts'

/** Robotics competition seasons: imported, ranked, and served from memory. */
export const roboticsStatistics: Service = serviceWithRuntime<ServiceRuntime>({
  letter: 'S6',
  name: serviceName,
  title: 'Robotics Event Statistics',
  apis: [{ dialect: roboticsDialect, resources: { listings, events, rankings, calculations, pages } }],
  start,
  migrations: new URL('../migrations/', import.meta.url),
  retention,
})
