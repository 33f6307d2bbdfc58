import { type Sending, startSending } from '@icosa/delivery'
import type { AnyJob, OnStop, Platform } from '@icosa/kernel'
import { type Catalogs, catalogs } from './catalog/catalog.ts'
import { type Subjects, subjects } from './evaluation/subjects.ts'
import { openTurns, type Turns } from './evaluation/turns.ts'
import { type Ingestion, openIngestion } from './mailbox/ingestion.ts'
import type { Evaluation } from './mailbox/wake.ts'

/** What a node holds open for event detection. */
export interface ServiceRuntime extends Sending {
  /** Models that were compiled. */
  readonly subjects: Subjects
  /** Where messages go, as it was last read. */
  readonly catalogs: Catalogs
  /** Writes the messages of many requests together. */
  readonly ingestion: Ingestion
  /** Who may evaluate now. */
  readonly turns: Turns
}

export const startWith =
  (evaluate: AnyJob<Evaluation>) =>
  (platform: Platform, onStop: OnStop): ServiceRuntime => {
    const known = catalogs()
    const ingestion = openIngestion(platform, evaluate, known)
    onStop(() => ingestion.flush())
    return { subjects: subjects(), catalogs: known, ingestion, turns: openTurns(), ...startSending(platform, onStop) }
  }
