import { keyedServer } from '@icosa/dialects/keyed/server'
import { type Service, serviceHolding } from '@icosa/kernel'
import { clock } from './clock/handlers.ts'
import { type Held, start } from './held.ts'
import { keyHeader } from './names.ts'
import { state } from './state/handlers.ts'
import { deleteBlobs } from './state/jobs.ts'

/** What developers and tests do to the platform itself. Only nodes whose clock can be moved serve it. */
export const platform: Service = serviceHolding<Held>({
  name: 'platform',
  title: 'The platform itself: clock and state',
  apis: [{ dialect: keyedServer({ name: 'platform', headers: [keyHeader] }), resources: { clock, state } }],
  start,
  jobs: [deleteBlobs],
})
