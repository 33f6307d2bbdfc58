import { keyedServer } from '@icosa/dialects/keyed/server'
import type { Service } from '@icosa/kernel'
import { dialect } from './notes/contract.ts'
import { notes } from './notes/handlers.ts'
import { publishNote } from './notes/jobs.ts'

/** A small service with rows, pages and a long-running operation. The kernel's tests and the bench use it. */
export const example: Service = {
  name: 'example',
  title: 'Example: notes',
  dialect: keyedServer({ name: 'example', headers: ['X-Api-Key'], operations: dialect }),
  resources: { notes },
  migrations: new URL('./migrations/', import.meta.url),
  retention: { notes: 'their tenants delete them' },
  jobs: [publishNote],
}
