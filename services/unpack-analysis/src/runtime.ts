import { openPool, type Pool } from '@icosa/compute'
import type { OnStop, Platform } from '@icosa/kernel'
import { type Budgets, openBudgets } from './budgets/budgets.ts'
import type { Applied, Generated, Task } from './rules/tasks.ts'
import { type Engine, openEngine } from './sandboxed/engine.ts'
import type { UnpackSettings } from './settings.ts'

export interface ServiceRuntime {
  readonly engine: Engine
  readonly budgets: Budgets
  /** Maximum CPU time of one sample, and of the rules for one file. */
  readonly maxCpuMs: { readonly emulation: number; readonly rules: number }
  /** Compiles, applies and generates rules in threads that can be killed: YARA-X does not enforce time limits. */
  readonly rules: Pool<Task, Applied | Generated>
}

export const startWith =
  (settings: UnpackSettings) =>
  (platform: Platform, onStop: OnStop): ServiceRuntime => {
    const { log, metrics } = platform
    const engine = openEngine(settings, (error) => log.error({ err: error }, 'a sandbox for samples failed'))
    onStop(() => engine.close())
    metrics.gauge('icosa_unpack_running', 'Samples being emulated.', () => engine.load().running)
    metrics.gauge('icosa_unpack_waiting', 'Samples waiting to be emulated.', () => engine.load().waiting)
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
    const maxCpuMs = { emulation: settings.emulateMs, rules: settings.ruleMs }
    return { engine, rules, budgets: openBudgets(platform, settings), maxCpuMs }
  }
