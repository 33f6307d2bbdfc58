import type { IncomingMessage } from 'node:http'
import type { Service, Subdomains } from '../../service.ts'

declare module 'http' {
  interface IncomingMessage {
    /** Label of the subdomain that the request names, if its host belongs to a service. */
    subdomain?: string
  }
}

/** Matches no name that a service gives out: for hosts that are the domain itself, or too deep below it. */
const noLabel = '-'

/**
 * Routes requests to a subdomain of a service to that service alone, whatever their path: no page or operation of the platform
 * is reachable on an origin where user content runs. Returns undefined for all other hosts.
 */
export function subdomainRouting(
  services: readonly Service[],
  { publicUrls, trustedProxies }: { readonly publicUrls: readonly string[]; readonly trustedProxies: number },
): (request: IncomingMessage) => string | undefined {
  const domains = services.flatMap(({ subdomains }) => subdomains ?? [])
  for (const url of publicUrls) {
    const { hostname } = new URL(url)
    const domain = domains.find((each) => labelIn(each, hostname) !== undefined)
    if (domain)
      throw new Error(
        `The platform's own host ${hostname} is within ${domain.of}, which is for user content: choose another domain.`,
      )
  }
  if (domains.length === 0) return () => undefined
  return (request) => {
    const { headers } = request
    // As the server itself reads them: the last proxy is the one that is trusted.
    const forwarded = trustedProxies > 0 ? headers['x-forwarded-host'] : undefined
    const host =
      String(forwarded || headers.host || '')
        .split(',')
        .at(-1) ?? ''
    for (const domain of domains) {
      const label = labelIn(domain, host.trim().replace(/:\d*$/, ''))
      if (label === undefined) continue
      const isPath = request.url?.startsWith('/') // otherwise `*`, or a whole address that may name another host
      request.subdomain = isPath ? label : noLabel
      return domain.at + request.subdomain
    }
    return undefined
  }
}

/** `a` of `A.fn.example.com.`; undefined for a host outside the domain. */
function labelIn({ of: domain }: Subdomains, hostname: string): string | undefined {
  const name = hostname.toLowerCase().replace(/\.+$/, '')
  if (name === domain) return noLabel
  if (!name.endsWith(`.${domain}`)) return undefined
  const label = name.slice(0, -domain.length - 1)
  return /^[a-z0-9-]{1,63}$/.test(label) ? label : noLabel
}
