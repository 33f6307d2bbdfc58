import { openPool, type Pool } from '@icosa/compute'
import type { OnStop, Platform } from '@icosa/kernel'
import type { Applied, Generated, Task } from './rules/tasks.ts'
import { type Engine, openEngine } from './sandboxed/engine.ts'
import type { UnpackSettings } from './settings.ts'

/** What a node holds open for unpack analysis. */
export interface Held {
  readonly engine: Engine
  /** Compiles, applies and makes rules, in a thread that can be killed: YARA-X keeps to no time limit of its own. */
  readonly rules: Pool<Task, Applied | Generated>
}

export const startWith =
  (settings: UnpackSettings) =>
  ({ log, metrics }: Platform, onStop: OnStop): Held => {
    const engine = openEngine(settings, (error) => log.error({ err: error }, 'a sandbox for samples failed'))
    onStop(() => engine.close())
    metrics.gauge('icosa_unpack_running', 'Samples that are being emulated.', () => engine.load().running)
    metrics.gauge('icosa_unpack_waiting', 'Samples that wait to be emulated.', () => engine.load().waiting)
    const module = new URL('./rules/rules-thread.ts', import.meta.url)
    const rules = openPool<Task, Applied | Generated>({
      name: 'rules',
      module,
      metrics,
      size: 2,
      deadlineMs: settings.ruleMs,
      memoryMb: 512,
    })
    onStop(() => rules.close())
    return { engine, rules }
  }
