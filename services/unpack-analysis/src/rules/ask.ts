import { WorkerLost } from '@icosa/compute'
import { Failure, type ReadingContext } from '@icosa/kernel'
import type { Held } from '../held.ts'
import type { Task } from './tasks.ts'

/** A limit is said: nobody takes it for a file in which nothing was found. */
export async function ask<Result>({ held, caller, signal }: ReadingContext<Held>, task: Task): Promise<Result> {
  try {
    return await held.budgets.forCpu(caller.tenant, held.maxCpuMs.rules, (begin) =>
      held.rules.hold(
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
