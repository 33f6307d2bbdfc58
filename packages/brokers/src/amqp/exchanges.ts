import { expiringCache } from '@icosa/kernel'
import type { ChannelModel } from 'amqplib'

/** Which exchanges are there, as the broker said a moment ago. */
export interface Exchanges {
  /** Rejects with what the broker says if there is none of this name. */
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
  let known = open()
  return {
    check: async (name) => known.get(name),
    forget() {
      known = open()
    },
  }
}

/** On a channel of its own, which the broker closes if there is none: messages of others are not on it. */
async function ask(client: ChannelModel, name: string): Promise<void> {
  const channel = await client.createChannel()
  channel.on('error', () => {}) // what it says is what the check rejects with
  await channel.checkExchange(name)
  await channel.close()
}
