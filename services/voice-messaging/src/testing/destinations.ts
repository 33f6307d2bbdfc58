import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { natsClient } from '@icosa/brokers/testing'
import { defaultSettings } from '../settings.ts'
import { type Caller, log, stream, topic } from './app.ts'
import { startStream } from './stream.ts'

export type ReceivedEvent = Record<string, unknown>

/** Starts a destination of every kind for one tenant, with the settings to use them. */
export async function startDestinations() {
  const tenant = `t-${randomUUID()}` // others may use the same broker
  const folder = await mkdtemp(join(tmpdir(), 'icosa-voice-logs-'))
  const endpoint = await startStream()
  const nats = await natsClient(defaultSettings.topics)
  const published = await nats.subscribe(`voice.${tenant}.calls`)
  const logged = async () => {
    const text = await readFile(join(folder, tenant, '%2Fvoice%2Fcalls.log'), 'utf8').catch(() => '')
    return text.split('\n').flatMap((line): ReceivedEvent[] => (line === '' ? [] : [JSON.parse(line)]))
  }
  return {
    tenant,
    endpoint,
    settings: { logs: folder, streams: { calls: endpoint.url } },
    /** Creates a configuration set `calls` with all three. */
    async configure(caller: Caller, more: object = {}): Promise<void> {
      const params = { ConfigurationSetName: 'calls' }
      await caller.CreateConfigurationSet({ body: params })
      for (const [name, place] of Object.entries({
        log: log('/voice/calls'),
        stream: stream('calls'),
        topic: topic('calls'),
      }))
        await caller.CreateConfigurationSetEventDestination({
          params,
          body: { EventDestinationName: name, EventDestination: { ...place, ...more } },
        })
    },
    logged,
    /** Returns the events received by each. */
    async received(): Promise<Readonly<Record<'log' | 'stream' | 'topic', readonly ReceivedEvent[]>>> {
      await nats.flush()
      const topicEvents = published().map(({ payload }) => JSON.parse(payload))
      return { log: await logged(), stream: endpoint.events(), topic: topicEvents }
    },
    async [Symbol.asyncDispose]() {
      nats[Symbol.dispose]()
      await endpoint[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
