import { type Retention, type Service, serviceWithRuntime } from '@icosa/kernel'
import { roboticsDialect } from './dialect.ts'
import { events } from './events/handlers.ts'
import { listings } from './listings/handlers.ts'
import { serviceName } from './names.ts'
import { pages } from './pages/handlers.ts'
import { calculations } from './points/handlers.ts'
import { rankings } from './rankings/handlers.ts'
import { type ServiceRuntime, start } from './runtime.ts'
import { views } from './views.ts'

/** Seasons are imported by an operator and never deleted: below 1 GB each. */
const retention: Retention = {
  lists: 'a few for every imported event',
  items: 'imported items, replaced by the next import',
  answers: 'a few for every list',
  mirrored: 'one for every address of a season',
}

/** Robotics competition seasons: imported, ranked, and served from memory. */
export const roboticsStatistics: Service = serviceWithRuntime<ServiceRuntime>({
  letter: 'S6',
  name: serviceName,
  title: 'Robotics Event Statistics',
  moves: 'withRows',
  views,
  apis: [{ dialect: roboticsDialect, resources: { listings, events, rankings, calculations, pages } }],
  start,
  migrations: new URL('../migrations/', import.meta.url),
  retention,
})
