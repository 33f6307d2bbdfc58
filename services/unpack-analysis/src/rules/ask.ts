import { WorkerLost } from '@icosa/compute'
import { Failure, type ReadingContext } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import type { Task } from './tasks.ts'

/** Runs a task in the rules thread. A limit is an error, so that it is not mistaken for a file without matches. */
export async function ask<Result>(
  { runtime, caller, signal }: ReadingContext<ServiceRuntime>,
  task: Task,
): Promise<Result> {
  try {
    return await runtime.budgets.forCpu(caller.tenant, runtime.maxCpuMs.rules, (onStart) =>
      runtime.rules.hold(
        caller.tenant,
        (askThread) => {
          onStart()
          return askThread(task) as Promise<Result>
        },
        { signal },
      ),
    )
  } catch (error) {
    if (!(error instanceof WorkerLost) || error.why === 'closed') throw error
    const spent = error.why === 'deadline' ? 'time' : 'memory'
    throw new Failure('invalid', `The rules exceeded their ${spent} limit.`)
  }
}
