import { type Service, serviceHolding } from '@icosa/kernel'
import { openDialect } from './dialect.ts'
import { type Held, startWith } from './held.ts'
import { rules } from './rules/handlers.ts'
import { samples } from './samples/handlers.ts'
import { forgetUploads } from './samples/jobs.ts'
import type { UnpackSettings } from './settings.ts'

export type { UnpackSettings } from './settings.ts'

/** Looks into packed programs without ever running them. */
export const unpackAnalysis = (settings: UnpackSettings): Service =>
  serviceHolding<Held>({
    letter: 'S3',
    name: 'unpack-analysis',
    title: 'Unpack analysis',
    apis: [{ dialect: openDialect, resources: { samples, rules } }],
    start: startWith(settings),
    jobs: [forgetUploads],
    schedules: [{ job: forgetUploads, everyMs: 600_000 }],
  })
