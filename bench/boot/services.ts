import { named, oneOf, readOnly, type Schema, Type, withDefault, writable } from '@icosa/contract'
import { arm } from '@icosa/dialects/arm'
import { armServer } from '@icosa/dialects/arm/server'
import { keyed, keyedDialect } from '@icosa/dialects/keyed'
import { keyedServer } from '@icosa/dialects/keyed/server'
import { signed } from '@icosa/dialects/signed/contract'
import { signedServer } from '@icosa/dialects/signed/server'
import { type Api, Failure, implement, type Service } from '@icosa/kernel'

const perResource = 5

/** Services as large as real ones that do nothing, so that only the cost of the platform is measured. */
export const syntheticServices = (count: number, operations: number): Service[] =>
  Array.from({ length: count }, (_, index) => {
    const name = `synthetic-${index}`
    const resources = Array.from({ length: operations / perResource }, (_, number) => `Item${number}`)
    return { name, title: `Synthetic ${index}`, moves: 'withRows', apis: [apiOf(name, index, resources)] }
  })

/** Uses the existing dialects in turn. */
function apiOf(name: string, index: number, names: readonly string[]): Api {
  const all = <R>(make: (name: string) => R) => Object.fromEntries(names.map((name) => [name, make(name)]))
  switch (index % 3) {
    case 0: {
      const api = keyed('X-Api-Key', { itemId: Type.String({ pattern: '^[0-9a-f-]{36}$' }) })
      const dialect = keyedServer({ name, headers: ['X-Api-Key'], operations: keyedDialect('X-Api-Key') })
      return { dialect, resources: all((one) => resource(api, one, `/${one}/{itemId}`)) }
    }
    case 1: {
      const api = arm(`Vendor.Synthetic${index}`, { itemName: Type.String({ pattern: '^[\\w-]{1,50}$' }) })
      const at = `/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Vendor.Synthetic${index}`
      const server = armServer(api, { original: `Original.Synthetic${index}`, versions: ['2024-01-01'] })
      // Its constructors take the query as a record of fields, and add `api-version`.
      const constructors = api as unknown as Operations
      return {
        dialect: server,
        resources: all((one) => resource(constructors, one, `${at}/${one}/{itemName}`, page as never)),
      }
    }
    default: {
      const api = signed({ message: 'Message', token: 'NextToken' })
      const dialect = signedServer(api, { region: 'us-east-1', signingNames: [name] })
      return { dialect, resources: all((one) => resource(api, one, `/${one}/{itemId}`)) }
    }
  }
}

type Operations = Pick<ReturnType<typeof keyed>, 'get' | 'post' | 'put' | 'delete'>

const page = {
  limit: withDefault(Type.Integer({ minimum: 1, maximum: 1000 }), 100),
  filter: Type.Optional(Type.String({ maxLength: 2000 })),
}

function resource(api: Operations, name: string, path: string, query: Schema = Type.Object(page)) {
  const at = path.slice(0, path.lastIndexOf('/'))
  const Item = named(name, {
    id: readOnly(Type.String()),
    title: Type.String({ minLength: 1, maxLength: 200 }),
    state: readOnly(Type.Optional(oneOf('Creating', 'Succeeded', 'Failed'))),
    size: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    tags: Type.Optional(Type.Record(Type.String({ maxLength: 256 }))),
    parts: Type.Optional(
      Type.Array(named(`${name}Part`, { name: Type.String({ pattern: '^[a-z]{1,20}$' }), weight: Type.Number() }), {
        maxItems: 50,
      }),
    ),
    createdAt: readOnly(Type.String({ format: 'date-time' })),
  })
  const contract = {
    [`Create${name}`]: api.post(at, { summary: 'Create one.', body: writable(Item), replies: { 201: Item } }),
    [`List${name}`]: api.get(at, {
      summary: 'List them.',
      query,
      replies: { 200: named(`${name}List`, { items: Type.Array(Item) }) },
    }),
    [`Get${name}`]: api.get(path, { summary: 'Read one.', replies: { 200: Item } }),
    [`Put${name}`]: api.put(path, { summary: 'Replace one.', body: writable(Item), replies: { 200: Item } }),
    [`Delete${name}`]: api.delete(path, { summary: 'Delete one.', replies: { 204: null } }),
  }
  const nothing = async () => {
    throw new Failure('notImplemented', 'A synthetic service does nothing.')
  }
  return implement(contract, Object.fromEntries(Object.keys(contract).map((key) => [key, nothing])) as never)
}
