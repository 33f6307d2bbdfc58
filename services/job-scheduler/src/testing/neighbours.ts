import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { latencyOf, type Neighbours } from '@icosa/testing'
import { callersOf, group, request, start } from './app.ts'
import { startReceiver } from './receiver.ts'

const collection = { ...group, jobCollectionName: 'c' }
const later = '2099-01-01T00:00:00Z'

export interface SchedulerNeighbours extends Neighbours {
  /** Requests of the flood that hung at the end, and those that were done. */
  readonly hanging: number
  readonly done: number
}

/** Measures a tenant's latency, alone and while another tenant floods an unresponsive receiver. */
export async function schedulerNeighbours(flood: number, probes: number): Promise<SchedulerNeighbours> {
  await using app = await start({ worker: { concurrency: 32, background: true } })
  await using receiver = await startReceiver()
  await using unresponsive = await startUnresponsive()
  const acme = await callersOf(app, 'acme')
  const evil = await callersOf(app, 'evil')
  const group2 = { ...collection, subscriptionId: 'sub-2' }
  await acme.collections.createOrUpdate({ params: collection, body: {} })
  await evil.collections.createOrUpdate({ params: group2, body: {} })
  const properties = (url: string) => ({ startTime: later, action: request(url) })
  const beat = { ...collection, jobName: 'beat' }
  const hang = { ...group2, jobName: 'hang' }
  await acme.jobs.createOrUpdate({ params: beat, body: { properties: properties(receiver.url) } })
  await evil.jobs.createOrUpdate({ params: hang, body: { properties: properties(unresponsive.url) } })

  /** From the call of `run` to the job's request. */
  const probe = async () => {
    const previous = receiver.received.length
    await acme.jobs.run({ params: beat })
    await receiver.until(previous + 1, 30_000)
  }
  await latencyOf(5, probe)
  const quiet = await latencyOf(probes, probe)
  for (let started = 0; started < flood; started += 20)
    await Promise.all(Array.from({ length: Math.min(20, flood - started) }, () => evil.jobs.run({ params: hang })))
  await unresponsive.until(1)
  const flooded = await latencyOf(probes, probe)
  return { quiet, flooded, hanging: unresponsive.hanging(), done: unresponsive.done() }
}

/** Accepts requests and never responds. */
async function startUnresponsive() {
  let hanging = 0
  let done = 0
  let arrived = () => {}
  const server = createServer((_, response) => {
    hanging++
    arrived()
    response.once('close', () => {
      hanging--
      done++
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // never null for a listening server
  return {
    url: `http://127.0.0.1:${port}`,
    hanging: () => hanging,
    done: () => done,
    async until(count: number) {
      while (hanging + done < count) await new Promise<void>((resolve) => (arrived = resolve))
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
