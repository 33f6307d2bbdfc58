import { type Sending, startSending } from '@icosa/delivery'
import type { AnyJob, OnStop, Platform } from '@icosa/kernel'
import { type Catalogs, catalogs } from './catalog/catalog.ts'
import { type Subjects, subjects } from './evaluation/subjects.ts'
import { openTurns, type Turns } from './evaluation/turns.ts'
import { type Ingestion, openIngestion } from './mailbox/ingestion.ts'
import type { Evaluation } from './mailbox/wake.ts'

export interface ServiceRuntime extends Sending {
  /** Compiled models. */
  readonly subjects: Subjects
  /** Cached message routes. */
  readonly catalogs: Catalogs
  readonly ingestion: Ingestion
  readonly turns: Turns
}

export const startWith =
  (evaluate: AnyJob<Evaluation>) =>
  (platform: Platform, onStop: OnStop): ServiceRuntime => {
    const catalogCache = catalogs()
    const ingestion = openIngestion(platform, evaluate, catalogCache)
    onStop(() => ingestion.flush())
    return {
      subjects: subjects(),
      catalogs: catalogCache,
      ingestion,
      turns: openTurns(),
      ...startSending(platform, onStop),
    }
  }
