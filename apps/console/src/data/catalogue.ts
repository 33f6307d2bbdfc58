import { client } from '@icosa/client'
import { catalogue, registry, status } from '@icosa/platform/contract'
import { queryOptions } from '@tanstack/react-query'
import { platformTarget } from './access.ts'

const contract = { ...catalogue, ...registry, ...status }

/** The platform's own operations; everything else is described by its catalogue. */
const platform = () => client(contract, platformTarget())

export const catalogueQuery = queryOptions({
  queryKey: ['catalogue'],
  queryFn: async () => (await platform().getCatalogue({})).body,
  staleTime: Number.POSITIVE_INFINITY,
})

/** Offset of the platform's clock from the browser's. Signatures need the platform's time. */
let clockOffsetMs = 0
export const platformNow = () => new Date(Date.now() + clockOffsetMs)

/** Records the platform's time. Returns its offset from the browser's clock. */
export function noteNow(now: string): number {
  clockOffsetMs = Date.parse(now) - Date.now()
  return clockOffsetMs
}

export const statusQuery = queryOptions({
  queryKey: ['status'],
  async queryFn() {
    const { body } = await platform().getStatus({})
    return { ...body, offsetMs: noteNow(body.now) }
  },
  staleTime: 15_000,
  refetchInterval: 15_000,
})

export const serviceQuery = (service: string) =>
  queryOptions({
    queryKey: ['service', service],
    queryFn: async () => (await platform().getServiceCatalogue({ params: { service } })).body,
    staleTime: Number.POSITIVE_INFINITY,
  })

export const searchQuery = (text: string) => {
  const isTag = text.includes('=') || text.startsWith('#')
  return queryOptions({
    queryKey: ['search', text],
    queryFn: async () =>
      (await platform().searchResources({ query: isTag ? { tag: text.replace(/^#/, '') } : { q: text } })).body
        .resources,
    enabled: text.length > 1,
  })
}

export type ServiceCatalogue = Awaited<ReturnType<Awaited<ReturnType<typeof platform>>['getServiceCatalogue']>>['body']
export type Api = ServiceCatalogue['apis'][number]
export type Operation = Api['operations'][number]
export type View = ServiceCatalogue['views'][number]
export type Panel = ServiceCatalogue['panels'][number]

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: JsonSchema
}

/** The subset of JSON Schema that forms use. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly anyOf?: readonly JsonSchema[]
  readonly description?: string
  readonly default?: unknown
  readonly readOnly?: boolean
  readonly maxLength?: number
}

export interface Found {
  readonly api: Api
  readonly operation: Operation
}

export function operationOf({ apis }: ServiceCatalogue, id: string | undefined): Found | undefined {
  for (const api of apis) {
    const operation = api.operations.find((one) => one.id === id)
    if (operation) return { api, operation }
  }
  return undefined
}

/** A schema with its reference resolved and null removed. */
export function resolved(schema: JsonSchema, { schemas }: Pick<Api, 'schemas'>): JsonSchema {
  if (schema.$ref)
    return resolved(schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] as JsonSchema, { schemas })
  const [only, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  return only && others.length === 0 ? { ...schema, ...resolved(only, { schemas }), anyOf: [] } : schema
}
