import type { OnStop, Platform } from '@icosa/kernel'
import { openPredictor, type Predictor } from './prediction/predictor.ts'
import { openPublished, type Published } from './prediction/published.ts'
import { openQueryLog, type QueryLog } from './prediction/query-log.ts'
import type { LanguageSettings } from './settings.ts'
import { openTrainer, type Trainer } from './training/trainer.ts'

/** What a node holds open for language understanding. */
export interface ServiceRuntime {
  /** Learns, in a thread of its own. */
  readonly trainer: Trainer
  /** Answers, in threads that keep the models they need. */
  readonly predictor: Predictor
  /** Which model answers where: believed for a second. */
  readonly published: Published
  /** What was asked, until it is written. */
  readonly queryLog: QueryLog
}

export const startWith =
  (settings: LanguageSettings) =>
  (platform: Platform, onStop: OnStop): ServiceRuntime => {
    const { metrics } = platform
    const trainer = openTrainer(settings, metrics)
    onStop(() => trainer.close())
    const predictor = openPredictor(settings, platform)
    onStop(() => predictor.close())
    const queryLog = openQueryLog(platform)
    onStop(() => queryLog.close())
    return { trainer, predictor, published: openPublished(platform), queryLog }
  }
