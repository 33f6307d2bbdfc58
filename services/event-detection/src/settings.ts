import { isBroker } from '@icosa/brokers'
import { deliveryKinds } from './models/actions/contract.ts'

/** What an operator decides about event detection. */
export interface EventDetectionSettings {
  readonly region: string
  /**
   * Where deliveries go, by kind and name of their target: `{ 'sns:alerts': 'nats://127.0.0.1:4222', 'lambda:*':
   * 'https://functions.example.com/{name}' }`. `*` stands for every name that is not listed; a delivery to none of them fails
   * and says so.
   */
  readonly targets: Readonly<Record<string, string>>
}

export const defaultSettings: EventDetectionSettings = { region: 'us-east-1', targets: {} }

/** At the start, not at the first delivery. */
export function checkSettings({ targets }: EventDetectionSettings): void {
  for (const [target, address] of Object.entries(targets)) {
    const [kind = ''] = target.split(':', 1)
    if (!(deliveryKinds as readonly string[]).includes(kind) || !target.includes(':'))
      throw new Error(
        `The target '${target}' of event detection is not of a kind: write such as sns:alerts or lambda:*.`,
      )
    if (!isBroker(address) && !/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
      throw new Error(
        `The address of ${target} is '${address}': set it to such as nats://127.0.0.1:4222 or https://example.com/.`,
      )
  }
}
