import type { IncomingMessage } from 'node:http'
import type { Service, Subdomains } from '../../service.ts'

declare module 'http' {
  interface IncomingMessage {
    /** Subdomain label of the request, if its host belongs to a service. */
    subdomain?: string
  }
}

/** Matches no label of a service: for the domain itself and for hosts too deep below it. */
const noLabel = '-'

/**
 * Routes requests for a service's subdomains to that service alone, whatever their path: no page or operation of the
 * platform is reachable on an origin that runs user content. Returns undefined for all other hosts.
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
    // As Fastify does: the last proxy is the trusted one.
    const forwarded = trustedProxies > 0 ? headers['x-forwarded-host'] : undefined
    const host =
      String(forwarded || headers.host || '')
        .split(',')
        .at(-1) ?? ''
    for (const domain of domains) {
      const label = labelIn(domain, host.trim().replace(/:\d*$/, ''))
      if (label === undefined) continue
      const isPath = request.url?.startsWith('/') // otherwise `*`, or an absolute URL that may name another host
      request.subdomain = isPath ? label : noLabel
      return domain.at + request.subdomain
    }
    return undefined
  }
}

/** Returns `a` for `A.fn.example.com.`; undefined for a host outside the domain. */
function labelIn({ of: domain }: Subdomains, hostname: string): string | undefined {
  const name = hostname.toLowerCase().replace(/\.+$/, '')
  if (name === domain) return noLabel
  if (!name.endsWith(`.${domain}`)) return undefined
  const label = name.slice(0, -domain.length - 1)
  return /^[a-z0-9-]{1,63}$/.test(label) ? label : noLabel
}
