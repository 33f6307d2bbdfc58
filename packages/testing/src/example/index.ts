import { keyedServer } from '@icosa/dialects/keyed/server'
import { type Service, serviceWithRuntime } from '@icosa/kernel'
import { dialect } from './notes/contract.ts'
import { notes } from './notes/handlers.ts'
import { countWords, publishNote, removeAttachment } from './notes/jobs.ts'
import { attachmentsInUse } from './notes/store.ts'
import { at } from './press/contract.ts'
import { press } from './press/handlers.ts'
import { type ServiceRuntime, startWith } from './runtime.ts'
import { type ExampleSettings, settings } from './settings.ts'

/**
 * A small service with rows, paginated lists, uploads, a long-running operation, a second API, a setting, and a
 * runtime with a press and a thread.
 */
export function exampleWith(values: ExampleSettings): Service {
  return serviceWithRuntime<ServiceRuntime>({
    name: 'example',
    title: 'Example: notes',
    moves: 'withRows',
    views: {
      group: 'Data',
      resources: {
        listNotes: {
          title: 'Notes',
          about: 'A note has a title and a text.',
          example: { title: 'Hello', text: 'World' },
        },
      },
    },
    apis: [
      { dialect: keyedServer({ name: 'example', headers: ['X-Api-Key'], operations: dialect }), resources: { notes } },
      { name: 'press', at, dialect: keyedServer({ name: 'example', headers: ['X-Press-Key'] }), resources: { press } },
    ],
    start: startWith(values),
    migrations: new URL('./migrations/', import.meta.url),
    retention: { notes: 'their tenants delete them' },
    blobs: { 'attachments/': attachmentsInUse },
    jobs: [publishNote, countWords, removeAttachment],
  })
}

/** With default settings, for the kernel's tests and the benchmarks. */
export const example = exampleWith(settings.read({}))
