/** Of the brokers that we can speak to, by the scheme of their address; `tls:` is NATS that must speak TLS. */
export const usualPorts: Readonly<Record<string, number>> = {
  'nats:': 4222,
  'tls:': 4222,
  'amqp:': 5672,
  'amqps:': 5671,
}

/** Whether an address is one of a broker that we can speak to. */
export const isBroker = (address: string) => (URL.parse(address)?.protocol ?? '') in usualPorts

/** The host of an address, as a socket wants it. */
export const hostnameOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')
