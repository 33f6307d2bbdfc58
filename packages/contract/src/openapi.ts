import { type BodyKind, bodyKind, fileParts } from './body.ts'
import { type BodyType, type Contract, type Operation, operationId } from './operation.ts'
import { paramNames, plainPath } from './path.ts'
import type { Schema } from './schema.ts'

/** Our own APIs are version 1. */
const versionOf = (contracts: DescribedService['contracts']) =>
  Object.values(contracts)
    .flatMap(Object.values<Operation>)
    .find(({ dialect }) => dialect.version)?.dialect.version ?? '1'

type Json = Record<string, unknown>

export interface DescribedService {
  readonly name: string
  readonly title: string
  readonly contracts: Readonly<Record<string, Contract>>
}

/** OpenAPI 3.1 of a service, from its contracts alone: no handler, no server. */
export function openapi({ name, title, contracts }: DescribedService) {
  const schemas = new Map<string, { readonly source: object; copy: unknown }>()
  const securitySchemes: Json = {}
  const responses: Json = {}
  const paths: Record<string, Json> = {}

  for (const [resource, contract] of Object.entries(contracts)) {
    for (const [key, operation] of Object.entries(contract)) {
      if (operation.dialect.security) securitySchemes[operation.dialect.name] = operation.dialect.security
      const path = plainPath(operation.path)
      paths[path] ??= {}
      const id = operationId(operation, resource, key)
      paths[path][operation.method.toLowerCase()] = describe(id, resource, operation)
      if (operation.head) paths[path].head = { ...describe(id, resource, operation), operationId: `${id}_Head` }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title, version: versionOf(contracts) },
    servers: [{ url: `/${name}` }],
    paths,
    components: {
      schemas: Object.fromEntries([...schemas].sort().map(([schema, { copy }]) => [schema, copy])),
      responses,
      securitySchemes,
    },
  }

  function describe(id: string, resource: string, operation: Operation) {
    const { dialect, summary, path, query, headers, body, replies, extension } = operation
    const success = Object.entries(replies).map(([status, schema]) => [
      status,
      {
        ...content(schema, operation.replyType, status === '200' ? operation.media : undefined),
        ...replyHeaders(operation),
      },
    ])
    return {
      operationId: id,
      tags: [resource],
      summary,
      ...(extension && { 'x-icosa-extension': true }),
      'x-icosa-permission': `${name}:${id}`,
      security: operation.open || !dialect.security ? [] : [{ [dialect.name]: [] }],
      parameters: [
        ...paramNames(path).map((param) => ({
          name: param,
          in: 'path',
          required: true,
          schema: reference(operation.params?.[param] ?? { type: 'string' }),
        })),
        ...parameters('query', dialect.query),
        ...parameters('query', query),
        ...parameters('header', headers),
      ],
      ...(body && { requestBody: { required: true, content: bodyContent(body, operation.bodyTypes) } }),
      responses: { ...Object.fromEntries(success), ...failures(operation) },
    }
  }

  /** Errors by reference: all errors of a dialect with one status look alike. */
  function failures(operation: Operation) {
    const { dialect, replies } = operation
    const statuses = (dialect.errorStatuses ?? []).filter(
      (status) => !(status in replies) && canFail(operation, status),
    )
    const error = content(dialect.error, dialect.errorType)
    const listed = [...statuses.map((status) => [status, reasons[status]] as const), ['default', 'Any other error']]
    return Object.fromEntries(
      listed.map(([status, description = 'Error']) => {
        const name = `${dialect.name}-${status}`
        responses[name] ??= { ...error, description }
        return [status, { $ref: `#/components/responses/${name}` }]
      }),
    )
  }

  function parameters(where: 'query' | 'header', schema: Schema | undefined) {
    const { properties = {}, required = [] } = (schema ?? {}) as unknown as { properties?: Json; required?: string[] }
    return Object.entries(properties)
      .filter(([param]) => where === 'query' || param !== 'accept') // in OpenAPI, Accept follows from media types
      .map(([param, property]) => ({
        name: param,
        in: where,
        required: required.includes(param),
        ...((property as Json)['x-icosa-extension'] === true && { 'x-icosa-extension': true }),
        schema: reference(property),
      }))
  }

  function replyHeaders({ replyHeaders: own, dialect }: Operation) {
    const all = { ...dialect.replyHeaders?.properties, ...own?.properties }
    const headers = Object.entries(all).map(([header, schema]) => [header, { schema: reference(schema) }])
    return headers.length > 0 && { headers: Object.fromEntries(headers) }
  }

  function content(schema: Schema | null, type = 'application/json', media: readonly string[] = []) {
    const description = schema && 'title' in schema ? String(schema.title) : schema ? 'Success' : 'No content'
    if (!schema) return { description }
    const kind = bodyKind(schema)
    if (kind) return { description: 'Bytes', content: rawContent(kind) }
    const others = media.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }])
    return {
      description,
      content: { [type]: { schema: reference(schema) }, ...Object.fromEntries(others) },
    }
  }

  function bodyContent(body: Schema, types: readonly BodyType[] = ['application/json']) {
    const kind = bodyKind(body)
    if (kind?.is === 'multipart') return { 'multipart/form-data': { schema: reference(body), ...encodings(body) } }
    if (kind) return rawContent(kind)
    return Object.fromEntries(types.map((type) => [type, { schema: reference(body) }]))
  }

  function rawContent(kind: BodyKind) {
    const { types } = kind as { types: readonly string[] }
    return Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]))
  }

  function encodings(form: Schema) {
    const files = fileParts(form).map(({ name: part, kind }) => [
      part,
      { contentType: Object.keys(rawContent(kind)).join(', ') },
    ])
    return files.length > 0 && { encoding: Object.fromEntries(files) }
  }

  /** Copies a schema, with `$ref`s for titled ones. */
  function reference(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(reference)
    if (typeof schema !== 'object' || schema === null) return schema
    const kind = bodyKind(schema as Schema)
    if (kind && kind.is !== 'multipart') return { type: 'string', format: 'binary' }
    const copy = () =>
      Object.fromEntries(
        Object.entries(schema).flatMap(([key, value]) => (key === 'x-icosa-body' ? [] : [[key, reference(value)]])),
      )
    if (!('title' in schema) || typeof schema.title !== 'string') return copy()
    const existing = schemas.get(schema.title)
    if (!existing) {
      const entry = { source: schema, copy: {} as unknown } // a placeholder, so that cycles end
      schemas.set(schema.title, entry)
      entry.copy = copy()
    } else if (existing.source !== schema && JSON.stringify(existing.source) !== JSON.stringify(schema)) {
      throw new Error(`${name} has two different schemas with the title '${schema.title}': rename one of them`)
    }
    return { $ref: `#/components/schemas/${schema.title}` }
  }
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Invalid request',
  401: 'Missing or invalid credential',
  403: 'Permission denied',
  404: 'Not found',
  409: 'Conflict with the current state',
  410: 'Limit exceeded',
  411: 'Content-Length is required',
  412: 'Precondition failed',
  413: 'The body is too large',
  415: 'Unsupported media type',
  429: 'Too many requests',
  500: 'Internal error',
  501: 'Not supported',
  503: 'Temporarily unavailable: try again',
}

const bodyStatuses = [411, 413, 415]
const stateStatuses = [409, 410, 412]

/** Whether an operation can fail with a status of its dialect. */
function canFail({ method, path, headers, body, open }: Operation, status: number): boolean {
  if (status === 405) return false // from another method
  if (status === 401) return open !== true
  if (status === 404) return path.includes('{') || body !== undefined
  if (bodyStatuses.includes(status)) return body !== undefined
  const conditions = Object.keys((headers as { properties?: Json } | undefined)?.properties ?? {})
  return !stateStatuses.includes(status) || method !== 'GET' || (status === 412 && conditions.includes('if-match'))
}
