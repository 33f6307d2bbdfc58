import { type Contract, type Operation, operationId } from '@icosa/contract'
import type { AnyPrepared, Engine, Handler } from './implement.ts'
import type { Api, Service } from './service.ts'

export interface ServiceOperation<S extends Service = Service> {
  readonly service: S
  readonly api: Api
  readonly id: string
  readonly permission: string
  readonly operation: Operation
  readonly handler: Handler | AnyPrepared | Engine
}

/** Lists all operations of a service, including its dialects', in contract order. */
export function operationsOfService<S extends Service>(service: S): ServiceOperation<S>[] {
  const operations = service.apis.flatMap((api) => operationsOfApi(service, api))
  const ids = new Set(operations.map(({ id }) => id))
  if (ids.size < operations.length) throw new Error(`${service.name} has two operations of the same name.`)
  const mounts = new Set(service.apis.map(({ at = '' }) => at))
  if (mounts.size < service.apis.length) throw new Error(`${service.name} has two APIs mounted at the same path.`)
  return operations
}

export function operationsOfApi<S extends Service>(service: S, api: Api): ServiceOperation<S>[] {
  const { at = '' } = api
  return Object.entries(resourcesOf(api)).flatMap(([resource, { contract, handlers }]) =>
    Object.entries(contract).map(([name, operation]): ServiceOperation<S> => {
      const id = operationId(operation, resource, name)
      if (!operation.path.startsWith(`${at}/`)) throw new Error(`${id} of ${service.name} is not at ${at}.`)
      return {
        service,
        api,
        id,
        permission: `${service.name}:${id}`,
        operation,
        handler: handlers[name] as ServiceOperation['handler'],
      }
    }),
  )
}

export function contractsOf(api: Api): Record<string, Contract> {
  const all = Object.entries(resourcesOf(api))
  return Object.fromEntries(all.map(([resource, { contract }]) => [resource, contract]))
}

const resourcesOf = ({ resources, dialect }: Api) => ({ ...resources, ...dialect.resources })
