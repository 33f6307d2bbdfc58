/**
 * `postgres://user@one:5432,two:5433/icosa` as one address for each of its hosts, of which one takes writes. What libpq lets callers
 * choose by `target_session_attrs` is always `read-write` here.
 */
export function addressesOf(url: string): readonly [string, ...string[]] {
  const [, before, hosts, after] = /^([^/]*\/\/(?:[^@/?]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? []
  if (before === undefined || !hosts?.includes(',')) return [url]
  const rest = after?.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, '')
  const [first = '', ...others] = hosts.split(',').map((host) => `${before}${host}${rest}`)
  return [first, ...others]
}

/** Host and port as the driver has them. */
export function placeOf(address: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(address)
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 5432) }
}
