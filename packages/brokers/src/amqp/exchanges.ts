import { expiringCache } from '@icosa/kernel'
import type { ChannelModel } from 'amqplib'

/** Cache of existing exchanges. */
export interface Exchanges {
  /** Rejects with the broker's error if the exchange does not exist. */
  check(name: string): Promise<void>
  forget(): void
}

const cachedMs = 10_000
const namesLimit = 1_000

export function knownExchanges(client: ChannelModel): Exchanges {
  const open = () =>
    expiringCache({
      name: 'exchanges of brokers',
      forMs: cachedMs,
      limit: namesLimit,
      find: (name) => ask(client, name),
    })
  let cache = open()
  return {
    check: async (name) => cache.get(name),
    forget() {
      cache = open()
    },
  }
}

/** Asks on a separate channel, since the broker closes it if the exchange does not exist. */
async function ask(client: ChannelModel, name: string): Promise<void> {
  const channel = await client.createChannel()
  channel.on('error', () => {}) // the check rejects with it
  await channel.checkExchange(name)
  await channel.close()
}
