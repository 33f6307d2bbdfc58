import type { IncomingMessage } from 'node:http'
import { operationsOfApi } from '../../operations.ts'
import type { Service } from '../../service.ts'

/**
 * Routes requests whose dialect recognizes them without a path prefix, by their signature for instance: these APIs
 * share the root. A path that starts with the service's name may still be complete, as `/backup/plans` of `backup`.
 */
export function sharedRoot(
  services: readonly Service[],
): (request: Pick<IncomingMessage, 'url' | 'headers'>) => string {
  const locating = services.flatMap((service) =>
    service.apis.flatMap((api) => {
      const { locate } = api.dialect
      if (!locate) return []
      const starts = new Set(operationsOfApi(service, api).map(({ operation }) => operation.path.split('/', 2)[1]))
      return [{ name: service.name, locate, starts }]
    }),
  )
  return ({ url: target = '/', headers }) => {
    for (const { name, locate, starts } of locating) {
      const located = locate({ target, headers })
      if (located === undefined) continue
      const [, first, second] = target.split(/[/?]/, 3)
      const isPrefixed = first === name && starts.has(second)
      return isPrefixed ? target : `/${name}${located}`
    }
    return target
  }
}
