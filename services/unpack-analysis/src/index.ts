import { type Service, serviceWithRuntime } from '@icosa/kernel'
import { dialectFor } from './dialect.ts'
import { keyHeader, serviceName } from './names.ts'
import { rules } from './rules/handlers.ts'
import { type ServiceRuntime, startWith } from './runtime.ts'
import { samples } from './samples/handlers.ts'
import { forgetUploads } from './samples/jobs.ts'
import type { UnpackSettings } from './settings.ts'
import { views } from './views.ts'

export type { UnpackSettings } from './settings.ts'

/** Unpacks and analyzes programs without executing them. */
export const unpackAnalysis = (settings: UnpackSettings): Service =>
  serviceWithRuntime<ServiceRuntime>({
    letter: 'S3',
    name: serviceName,
    title: 'Unpack analysis',
    moves: 'withRows',
    views,
    apis: [{ dialect: dialectFor(settings), resources: { samples, rules } }],
    tenantRules: {
      [`/${serviceName}`]: {
        sources: [{ in: 'header', name: keyHeader.toLowerCase(), gives: 'credential' }],
        otherwise: 'network',
      },
    },
    start: startWith(settings),
    migrations: new URL('../migrations/', import.meta.url),
    retention: { usage: { column: 'hour', keepDays: 1 } },
    blobs: { '': 'forgetUploads deletes them after an hour' },
    jobs: [forgetUploads],
    schedules: [{ job: forgetUploads, everyMs: 600_000 }],
  })
