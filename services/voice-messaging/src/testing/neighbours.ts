import { latencyOf, type Neighbours } from '@icosa/testing'
import { hello, startVoice } from './app.ts'
import { startExchange } from './exchange.ts'

const ringing = '+493011111111'
const busy = '+493022222222'

export interface CallNeighbours extends Neighbours {
  /** How many calls of the flood were under way. */
  readonly held: number
}

/** How long it takes from a tenant's message to its call, alone and while another one has so many calls that nobody takes. */
export async function callNeighbours(flood: number, probes: number): Promise<CallNeighbours> {
  await using exchange = await startExchange((number) => number === ringing)
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
    const before = exchange.calls(busy)
    await acme.SendVoiceMessage({ body: { ...hello, DestinationPhoneNumber: busy } })
    await exchange.until(busy, before + 1)
  }
  await latencyOf(5, probe)
  const quiet = await latencyOf(probes, probe)
  const flooding = { ...hello, DestinationPhoneNumber: ringing }
  for (let sent = 0; sent < flood; sent += 20)
    await Promise.all(
      Array.from({ length: Math.min(20, flood - sent) }, () => evil.SendVoiceMessage({ body: flooding })),
    )
  await exchange.until(ringing, 75)
  const flooded = await latencyOf(probes, probe)
  const held = exchange.calls(ringing)
  exchange.letGo()
  return { quiet, flooded, held }
}
