import { latencyOf, type Neighbours } from '@icosa/testing'
import { hello, startVoice } from './app.ts'
import { startExchange } from './exchange.ts'

const ringingNumber = '+493011111111'
const busyNumber = '+493022222222'

export interface CallNeighbours extends Neighbours {
  /** Number of active calls of the flood. */
  readonly ringing: number
}

/** Measures the time from a tenant's message to its call, alone and during a flood of another tenant's unanswered calls. */
export async function callNeighbours(flood: number, probes: number): Promise<CallNeighbours> {
  await using exchange = await startExchange((number) => number === ringingNumber)
  const settings = {
    trunk: { host: '127.0.0.1', port: exchange.port },
    rate: { perSecond: 10_000, burst: 10_000 },
    ringSeconds: 600,
    retrySeconds: [],
  }
  await using world = await startVoice(settings, { worker: { concurrency: 32, background: true } })
  const acme = await world.caller('acme')
  const evil = await world.caller('evil')
  const probe = async () => {
    const before = exchange.calls(busyNumber)
    await acme.SendVoiceMessage({ body: { ...hello, DestinationPhoneNumber: busyNumber } })
    await exchange.until(busyNumber, before + 1)
  }
  await latencyOf(5, probe)
  const quiet = await latencyOf(probes, probe)
  const flooding = { ...hello, DestinationPhoneNumber: ringingNumber }
  for (let sent = 0; sent < flood; sent += 20)
    await Promise.all(
      Array.from({ length: Math.min(20, flood - sent) }, () => evil.SendVoiceMessage({ body: flooding })),
    )
  await exchange.until(ringingNumber, 75)
  const flooded = await latencyOf(probes, probe)
  const ringing = exchange.calls(ringingNumber)
  exchange.rejectAll()
  return { quiet, flooded, ringing }
}
