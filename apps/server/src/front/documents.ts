import { openapi } from '@icosa/contract'
import { type Api, contractsOf, type Service } from '@icosa/kernel'

export interface ApiDocument {
  /** Name of the service, followed by that of the API if it has one. */
  readonly name: string
  readonly service: Service
  readonly api: Api
  readonly document: ReturnType<typeof openapi>
}

/** The OpenAPI documents of all APIs. */
export function documentsOf(services: readonly Service[]): ApiDocument[] {
  return services.flatMap((service) =>
    service.apis.map((api) => {
      const { name } = service
      const document = openapi({ name, title: api.title ?? service.title, contracts: contractsOf(api) })
      return { name: api.name ? `${name}-${api.name}` : name, service, api, document }
    }),
  )
}

type Json = Readonly<Record<string, unknown>>

/** Merges all documents into one. Paths are prefixed with the service's name, names of components with the API's. */
export function mergedDocument(documents: readonly ApiDocument[]) {
  const all = documents.map(renamed)
  const merged = (part: (one: (typeof all)[number]) => Json) => Object.assign({}, ...all.map(part)) as Json
  return {
    openapi: '3.1.0',
    info: { title: 'Icosa', version: '1' },
    servers: [{ url: '/' }],
    tags: documents.map(({ name, document }) => ({ name, description: document.info.title })),
    paths: merged(({ paths }) => paths),
    components: {
      schemas: merged(({ components }) => components.schemas),
      responses: merged(({ components }) => components.responses),
      securitySchemes: merged(({ components }) => components.securitySchemes),
    },
  }
}

function renamed({ name, service, document }: ApiDocument) {
  const own = (key: string) => `${name}.${key}`
  const withOwnNames = (object: Json) =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [own(key), referring(value, own)]))
  const { schemas, responses, securitySchemes } = document.components
  const paths = Object.entries(document.paths).map(([path, operations]) => [
    `/${service.name}${path}`,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [method, tagged(operation as Operation, name, own)]),
    ),
  ])
  return {
    paths: Object.fromEntries(paths) as Json,
    components: {
      schemas: withOwnNames(schemas),
      responses: withOwnNames(responses),
      securitySchemes: withOwnNames(securitySchemes),
    },
  }
}

interface Operation extends Json {
  readonly operationId: string
  readonly security: readonly Json[]
}

function tagged(operation: Operation, name: string, own: (key: string) => string) {
  return {
    ...(referring(operation, own) as Json),
    tags: [name],
    operationId: own(operation.operationId),
    security: operation.security.map((one) =>
      Object.fromEntries(Object.entries(one).map(([key, scopes]) => [own(key), scopes])),
    ),
  }
}

/** Rewrites references to the prefixed names. */
function referring(value: unknown, own: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => referring(one, own))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? inner.replace(/[^/]+$/, (last) => own(last))
        : referring(inner, own),
    ]),
  )
}
