import { openSandbox, type Sandbox } from '../index.ts'
import { isShareable, outcome, outcomesTogether, program } from './attempt.ts'
import { attempts } from './attempts.ts'
import { staged } from './staged.ts'
import { openTestHost, type TestHost } from './test-host.ts'
import { programsIn } from './traces.ts'

/** Makes all attempts as the current user, and sends the outcome of each by its name. */
const outcomes: Record<string, string> = {}

async function record(name: string, play: (sandbox: Sandbox, host: TestHost) => Promise<Record<string, string>>) {
  const host = await openTestHost()
  const errors: unknown[] = []
  const sandbox = await openSandbox({ state: host.state, onError: (error) => errors.push(error) })
  Object.assign(outcomes, await play(sandbox, host).catch((error) => ({ [name]: String(error) })))
  await sandbox.close()
  const leftovers = programsIn(host.state)
  if (errors.length > 0 || leftovers.length > 0) outcomes[name] += `, but left ${leftovers.length}: ${errors.join()}`
  await host.close()
}

const together = attempts.filter(isShareable)
await record(together[0]?.name ?? '', (sandbox, host) => outcomesTogether(together, host, sandbox))
for (const attempt of process.env.NIGHTLY ? attempts : attempts.filter((attempt) => !isShareable(attempt)))
  await record(attempt.name, async (sandbox, host) => ({
    [attempt.name]: outcome(attempt, host, await sandbox.run(program(attempt, host))),
  }))
for (const { name, play } of staged)
  await record(name, async (sandbox, host) => {
    const reached = await play(sandbox, host, 'runsc')
    return { [name]: reached.length === 0 ? 'stopped' : `not stopped: ${reached.join()}` }
  })
process.send?.(outcomes, () => process.disconnect())
