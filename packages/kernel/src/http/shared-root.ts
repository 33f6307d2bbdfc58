import type { IncomingMessage } from 'node:http'
import { operationsOfService, type Service } from '../service.ts'

/**
 * Services whose dialect tells by the request itself that it is theirs need no prefix: they share the root. A path that
 * starts with the service's name may still be meant whole, as `/backup/plans` of `backup`.
 */
export function sharedRoot(services: readonly Service[]): (request: IncomingMessage) => string {
  const claiming = services.flatMap((service) => {
    const claims = service.dialect.claims
    if (!claims) return []
    const starts = new Set(operationsOfService(service).map(({ operation }) => operation.path.split('/', 2)[1]))
    return [{ name: service.name, claims, starts }]
  })
  return ({ url: target = '/', headers }) => {
    const found = claiming.find(({ claims }) => claims({ target, headers }))
    if (!found) return target
    const [, first, second] = target.split(/[/?]/, 3)
    const isPrefixed = first === found.name && found.starts.has(second)
    return isPrefixed ? target : `/${found.name}${target}`
  }
}
