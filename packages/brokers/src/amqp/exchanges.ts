import { expiringCache } from '@icosa/kernel'
import type { ChannelModel } from 'amqplib'

/** Cache of existing exchanges. */
export interface Exchanges {
  /** Rejects with the broker's error if the exchange does not exist. */
  check(name: string): Promise<void>
  forget(): void
}

const cachedMs = 10_000
const maxNames = 1_000

export function exchangeCache(client: ChannelModel): Exchanges {
  const open = () =>
    expiringCache({
      name: 'exchanges of brokers',
      forMs: cachedMs,
      limit: maxNames,
      find: (name) => checkExists(client, name),
    })
  let cache = open()
  return {
    check: async (name) => cache.get(name),
    forget() {
      cache = open()
    },
  }
}

/** Uses a separate channel, since the broker closes it if the exchange does not exist. */
async function checkExists(client: ChannelModel, name: string): Promise<void> {
  const channel = await client.createChannel()
  channel.on('error', () => {}) // the check rejects with it
  await channel.checkExchange(name)
  await channel.close()
}
