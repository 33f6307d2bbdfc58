import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { Failure } from '@icosa/kernel'
import type { AddressGuard } from './address.ts'

/** Resolves a URL's host and checks all addresses; fails if any is refused. */
export type Resolve = (url: URL, signal: AbortSignal) => Promise<readonly LookupAddress[]>

const LOOPBACK = ['127.0.0.1', '::1']
const isLocalName = (host: string) => /(^|\.)localhost$/.test(host)

/** Resolves a host to all its addresses, unchecked. */
export async function addressesOf(
  host: string,
  nameServers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host]
  return isLocalName(host) ? LOOPBACK : await query(host, nameServers, signal)
}

export function checkedResolver(guard: AddressGuard, nameServers: readonly string[] | undefined): Resolve {
  return async ({ hostname }, signal) => {
    const host = hostname.replace(/^\[|\]$/g, '')
    const addresses = allowedLoopback(host) ?? (await addressesOf(host, nameServers, signal))
    const refused = addresses.find((address) => !guard(address))
    if (refused !== undefined) throw refusal(host, refused)
    return addresses.map((address) => ({ address, family: isIP(address) }))
  }

  /** Only this machine defines localhost, so an operator who allows one family gets that one. */
  function allowedLoopback(host: string): readonly string[] | undefined {
    const allowed = isLocalName(host) ? LOOPBACK.filter(guard) : []
    return allowed.length > 0 ? allowed : undefined
  }
}

/**
 * Queries DNS servers directly. The system's lookup would block one of the process's few worker threads for as long as
 * a hostile DNS server likes, and cannot be cancelled. The hosts file is not read.
 */
async function query(name: string, nameServers: readonly string[] | undefined, signal: AbortSignal) {
  const resolver = new Resolver()
  if (nameServers !== undefined) resolver.setServers(nameServers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve6(name), resolver.resolve4(name)])
    signal.throwIfAborted()
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    const causes = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
    throw new Failure('unavailable', `No address is known for the host '${name}': check its spelling and its DNS.`, {
      cause: new AggregateError(causes),
    })
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** The address is only logged: shown to a tenant, it would reveal the operator's network. */
function refusal(host: string, address: string): Failure {
  return new Failure(
    'forbidden',
    `Fetching from '${host}' is refused because it is not on the public internet. ` +
      'The operator can allow its address range by ICOSA_FETCH_ALLOW.',
    { cause: new Error(`'${host}' is at ${address}`) },
  )
}
