import { WorkerLost } from '@icosa/compute'
import { Failure, type ReadingContext } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import type { Task } from './tasks.ts'

/** A limit is said: nobody takes it for a file in which nothing was found. */
export async function ask<Result>(
  { runtime, caller, signal }: ReadingContext<ServiceRuntime>,
  task: Task,
): Promise<Result> {
  try {
    return await runtime.budgets.forCpu(caller.tenant, runtime.maxCpuMs.rules, (begin) =>
      runtime.rules.hold(
        caller.tenant,
        (askThread) => {
          begin()
          return askThread(task) as Promise<Result>
        },
        { signal },
      ),
    )
  } catch (error) {
    if (!(error instanceof WorkerLost) || error.why === 'closed') throw error
    const spent = error.why === 'deadline' ? 'time' : 'memory'
    throw new Failure('invalid', `The rules used up the ${spent} that they may have.`)
  }
}
