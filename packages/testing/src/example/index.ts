import { keyedServer } from '@icosa/dialects/keyed/server'
import { serviceHolding } from '@icosa/kernel'
import { type Held, start } from './held.ts'
import { dialect } from './notes/contract.ts'
import { notes } from './notes/handlers.ts'
import { publishNote } from './notes/jobs.ts'

/** A small service with rows, pages, a long-running operation and a press that it holds open. The kernel's tests and the bench use it. */
export const example = serviceHolding<Held>({
  name: 'example',
  title: 'Example: notes',
  dialect: keyedServer({ name: 'example', headers: ['X-Api-Key'], operations: dialect }),
  resources: { notes },
  start,
  migrations: new URL('./migrations/', import.meta.url),
  retention: { notes: 'their tenants delete them' },
  jobs: [publishNote],
})
