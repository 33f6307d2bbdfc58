import type { FastifyRequest } from 'fastify'
import { serviceName } from '../names.ts'
import type { ConfigurationStoresSettings } from '../settings.ts'

/** A place where stores can be addressed. */
export interface Mount {
  readonly prefix: string
  /** Which hosts, if not all. */
  readonly host?: RegExp
  nameOf(request: FastifyRequest): string
}

/** By a path of the node, which works everywhere, and by the host's name where the endpoint has it there. */
export function mountsOf({ endpoint }: ConfigurationStoresSettings): readonly Mount[] {
  const byPath: Mount = {
    prefix: `/${serviceName}/stores/:store`,
    nameOf: ({ params }) => (params as Record<string, string>).store ?? '',
  }
  const [, host = '', path = ''] = /^https?:\/\/([^/]+)(.*?)\/?$/.exec(endpoint) ?? []
  if (!host.includes('{name}')) return [byPath]
  const [before = '', after = ''] = host
    .split('{name}', 2)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`^${before}([\\w-]+)${after}$`, 'i')
  return [byPath, { prefix: path, host: pattern, nameOf: ({ host: name }) => pattern.exec(name)?.[1] ?? '' }]
}
