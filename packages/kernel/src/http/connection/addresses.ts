import type { FastifyRequest } from 'fastify'
import { Failure } from '../../errors.ts'

export interface Addresses {
  /**
   * The addresses under which callers know the platform: `https://api.example.com/icosa`. What a request says of its host
   * only chooses among them. Without any, as on a laptop, the request decides.
   */
  readonly publicUrls: readonly string[]
  /**
   * Names under which the node may be addressed, without port; any if not given. A node on loopback answers to local
   * names only: otherwise a web page whose name was pointed here could use it through a visitor's browser.
   */
  readonly hostnames?: readonly string[] | undefined
}

/** The address of a request as its caller knows it. */
export type AddressOf = (request: FastifyRequest) => URL

export function addressesFrom({ publicUrls, hostnames }: Addresses): {
  readonly addressOf: AddressOf
  /** Refuses a request that is meant for another host. */
  readonly refuseForeign: (request: FastifyRequest) => void
} {
  const bases = publicUrls.map((url) => ({ host: new URL(url).host, base: url.replace(/\/$/, '') }))
  const [first] = bases
  let wellFormed = '' // the last one seen: nearly always the same
  return {
    addressOf(request) {
      const known = first && (bases.find(({ host }) => host === request.host?.toLowerCase()) ?? first)
      const base = known?.base ?? `${request.protocol === 'https' ? 'https' : 'http'}://${request.host || 'localhost'}`
      return new URL(base + originForm(request.originalUrl))
    },
    refuseForeign(request) {
      const { host } = request
      if (host && host !== wellFormed) {
        if (!syntax.test(host) || !URL.canParse(`http://${host}`))
          throw new Failure('invalid', 'The Host header is not a valid host name.')
        wellFormed = host
      }
      if (hostnames && request.raw.subdomain === undefined && !hostnames.includes(request.hostname))
        throw new Failure(
          'forbidden',
          `This node does not answer to ${request.hostname}, only to ${hostnames.join(', ')}.`,
        )
    },
  }
}

const syntax = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/** A target may also be a whole address, or anything else that begins with no slash: nothing of ours is there. */
const originForm = (target: string) => (target.startsWith('/') ? target : '/')
