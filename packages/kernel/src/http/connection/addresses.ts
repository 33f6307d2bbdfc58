import type { FastifyRequest } from 'fastify'
import { Failure } from '../../errors.ts'

export interface Addresses {
  /**
   * Public base URLs: `https://api.example.com/icosa`. The Host header only selects among them. Without any, as on a
   * laptop, it decides.
   */
  readonly publicUrls: readonly string[]
  /**
   * Accepted host names, without port; any if omitted. A node on loopback accepts local names only, against DNS
   * rebinding: otherwise a web page could use it through a visitor's browser.
   */
  readonly hostnames?: readonly string[] | undefined
}

/** URL of a request as its caller sees it. */
export type AddressOf = (request: FastifyRequest) => URL

export function addressesFrom({ publicUrls, hostnames }: Addresses): {
  readonly addressOf: AddressOf
  /** Refuses a request for another host. */
  readonly refuseForeign: (request: FastifyRequest) => void
  /**
   * Refuses changes sent by a page of another origin (CSRF), where host names are restricted: there, keys are public, and
   * a form can carry one in its URL.
   */
  readonly refuseCrossOrigin: (request: FastifyRequest) => void
} {
  const bases = publicUrls.map((url) => ({ host: new URL(url).host, base: url.replace(/\/$/, '') }))
  const [first] = bases
  let wellFormed = '' // the last one seen: nearly always the same
  return {
    addressOf(request) {
      const match = first && (bases.find(({ host }) => host === request.host?.toLowerCase()) ?? first)
      const base = match?.base ?? `${request.protocol === 'https' ? 'https' : 'http'}://${request.host || 'localhost'}`
      return new URL(base + originForm(request.originalUrl))
    },
    refuseForeign(request) {
      const { host } = request
      if (host && host !== wellFormed) {
        if (!syntax.test(host) || !URL.canParse(`http://${host}`))
          throw new Failure('invalid', 'The Host header is not a valid host name.')
        wellFormed = host
      }
      // Browsers always send a host; load balancers that check health by HTTP/1.0 do not.
      if (hostnames && host && request.raw.subdomain === undefined && !hostnames.includes(request.hostname))
        throw new Failure(
          'forbidden',
          `This node does not answer to ${request.hostname}, only to ${hostnames.join(', ')}.`,
        )
    },
    refuseCrossOrigin(request) {
      if (
        hostnames &&
        request.raw.subdomain === undefined &&
        !safeMethods.test(request.method) &&
        isCrossOrigin(request)
      )
        throw new Failure('forbidden', 'This node takes no changes from pages of other origins.')
    },
  }
}

const safeMethods = /^(GET|HEAD)$/

/** Browsers send both headers, and pages cannot change them. Programs send neither. */
function isCrossOrigin({ headers: { origin, 'sec-fetch-site': site }, host }: FastifyRequest): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return origin !== undefined && URL.parse(origin)?.host !== host
}

const syntax = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/** A target may also be an absolute URL or not start with a slash: neither is served. */
const originForm = (target: string) => (target.startsWith('/') ? target : '/')
