/** Default ports of supported brokers, by URL scheme; `tls:` is NATS over TLS. */
export const defaultPorts: Readonly<Record<string, number>> = {
  'nats:': 4222,
  'tls:': 4222,
  'amqp:': 5672,
  'amqps:': 5671,
}

/** Whether an address is a supported broker's. */
export const isBroker = (address: string) => (URL.parse(address)?.protocol ?? '') in defaultPorts

/** Host name for a socket, without brackets. */
export const hostnameOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')
