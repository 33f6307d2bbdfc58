import type { OnStop, Platform } from '@icosa/kernel'
import { type Engine, openEngine } from './sandboxed/engine.ts'
import type { UnpackSettings } from './settings.ts'

/** What a node holds open for unpack analysis. */
export interface Held {
  readonly engine: Engine
}

export const startWith =
  (settings: UnpackSettings) =>
  ({ log, metrics }: Platform, onStop: OnStop): Held => {
    const engine = openEngine(settings, (error) => log.error({ err: error }, 'a sandbox for samples failed'))
    onStop(() => engine.close())
    metrics.gauge('icosa_unpack_running', 'Samples that are being emulated.', () => engine.load().running)
    metrics.gauge('icosa_unpack_waiting', 'Samples that wait to be emulated.', () => engine.load().waiting)
    return { engine }
  }
