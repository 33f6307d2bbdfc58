import type { OnStop, Platform } from '@icosa/kernel'
import { openPredictor, type Predictor } from './prediction/predictor.ts'
import { openPublished, type Published } from './prediction/published.ts'
import { openQueryLog, type QueryLog } from './prediction/query-log.ts'
import type { LanguageSettings } from './settings.ts'
import { openTrainer, type Trainer } from './training/trainer.ts'

export interface ServiceRuntime {
  /** Trains models in a thread pool. */
  readonly trainer: Trainer
  /** Predicts in a thread pool with loaded models. */
  readonly predictor: Predictor
  /** One-second cache of published models. */
  readonly published: Published
  /** Write-behind log of queries. */
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
