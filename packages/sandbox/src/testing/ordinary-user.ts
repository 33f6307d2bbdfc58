import { openSandbox } from '../index.ts'
import { outcome, program } from './attempt.ts'
import { attempts } from './attempts.ts'
import { staged } from './staged.ts'
import { openTestHost } from './test-host.ts'
import { programsIn } from './traces.ts'

/** Runs all attempts as the current user, and sends the outcome of each by its name. */
const outcomes: Record<string, string> = {}

for (const attempt of [...attempts, ...staged]) {
  const host = await openTestHost()
  const errors: unknown[] = []
  const sandbox = await openSandbox({ state: host.state, onError: (error) => errors.push(error) })
  const tryOne = async () => {
    if ('tries' in attempt) return outcome(attempt, host, await sandbox.run(program(attempt, host)))
    const reached = await attempt.play(sandbox, host, 'runsc')
    return reached.length === 0 ? 'stopped' : `not stopped: ${reached.join()}`
  }
  outcomes[attempt.name] = await tryOne().catch(String)
  await sandbox.close()
  const leftovers = programsIn(host.state)
  if (errors.length > 0 || leftovers.length > 0)
    outcomes[attempt.name] += `, but left ${leftovers.length}: ${errors.join()}`
  await host.close()
}
process.send?.(outcomes, () => process.disconnect())
