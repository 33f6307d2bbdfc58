import { type Finding, found, type Need, reachable } from '@icosa/module'
import { type Kind, url } from '@icosa/settings'
import { defaultPorts } from './address.ts'

export { isBroker } from './address.ts'

/** Setting for a broker's address. */
export const brokerAddress: Kind<string> = url({
  schemes: Object.keys(defaultPorts),
  is: 'the address of a NATS or AMQP broker',
  example: 'nats://127.0.0.1:4222 or amqp://user:password@127.0.0.1:5672/vhost',
})

/** Checks that the configured brokers are reachable. */
export function brokerNeed<S>(name: string, purpose: string, addressesOf: (settings: S) => readonly string[]): Need<S> {
  return {
    name,
    purpose,
    isOptional: true, // without it, only messages sent there fail
    remedy: {
      debian: 'sudo apt install nats-server',
      macos: 'brew install nats-server',
      other: 'https://docs.nats.io/running-a-nats-service/introduction/installation',
    },
    async check(settings) {
      const findings = await Promise.all([...new Set(addressesOf(settings))].map(reach))
      const unreachable = findings.find(({ isThere }) => !isThere)
      return unreachable ?? found(findings.map(({ detail }) => detail).join(', ') || 'none is set')
    },
  }
}

function reach(address: string): Promise<Finding> {
  const { protocol, hostname, port } = new URL(address)
  return reachable(hostname, Number(port || defaultPorts[protocol]))
}
