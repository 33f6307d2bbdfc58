import {
  type Details,
  type Dialect,
  type Made,
  type Method,
  named,
  type ObjectSchema,
  type Operation,
  type ParamSchemas,
  type Properties,
  paramsOf,
  type Replies,
  readOnly,
  type Schema,
  Type,
} from '@icosa/contract'
import { errorStatuses } from '../status.ts'

const ArmError = named('ErrorResponse', {
  error: named('ErrorDetail', {
    code: Type.String(),
    message: Type.String(),
    target: Type.Optional(Type.String()),
    details: Type.Optional(
      Type.Array(Type.Object({ code: Type.String(), message: Type.String(), target: Type.Optional(Type.String()) })),
    ),
  }),
})

const apiVersion = {
  'api-version': Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}(-preview)?$',
    description: 'Which version of the API.',
  }),
}

/** It must be said all the same: the default is for those who write a client from the OpenAPI document. */
const withVersion = (version: string | undefined) =>
  version === undefined ? apiVersion : { 'api-version': { ...apiVersion['api-version'], default: version } }

/** The versions of the resource manager's own operations, on subscriptions and resource groups, that clients send. */
export const managerVersions = ['2021-04-01', '2020-06-01', '2019-10-01', '2018-05-01', '2016-06-01'] as const

type Group = '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/'
type Subscription = '/subscriptions/{subscriptionId}/providers/'

/** The resource manager's style: one namespace of resources below subscriptions and resource groups. */
export interface Arm<N extends string> {
  readonly namespace: N
  readonly dialect: Dialect
  /** Where resources are: below a resource group. */
  inGroup<const P extends string>(path: P): `${Group}${N}${P}`
  inSubscription<const P extends string>(path: P): `${Subscription}${N}${P}`
  readonly get: Constructor<'GET'>
  readonly head: Constructor<'HEAD'>
  readonly put: Constructor<'PUT'>
  readonly patch: Constructor<'PATCH'>
  readonly post: Constructor<'POST'>
  readonly delete: Constructor<'DELETE'>
}

/** Makes an operation that takes `api-version` beside its own query. */
type Constructor<M extends Method> = <
  const Path extends string,
  R extends Replies,
  Q extends Properties = Record<never, Schema>,
  Body extends Schema | undefined = undefined,
  Headers extends Schema | undefined = undefined,
  Reads extends true | undefined = undefined,
>(
  path: Path,
  details: Omit<Details<R, undefined, Body, Headers>, 'query'> & { readonly query?: Q; readonly reads?: Reads },
) => Operation<Path, R, ObjectSchema<typeof apiVersion & Q>, Body, Headers> & Made<M, Reads>

/** Resource groups are named so, unless a service is stricter. */
const resourceGroupName = Type.String({
  pattern: '^[^/\\p{C}]{1,90}$',
  description: '1 to 90 printable characters other than /',
})

/** For names that no rule of their service narrows further. */
export const plainName = (longest: number) =>
  Type.String({ pattern: `^[\\w.-]{1,${longest}}$`, description: `1 to ${longest} letters, digits, . _ -` })

/**
 * The parameters of a service's paths are described once, in `names`; the dialect sees to the subscription. `version` is
 * the one that the specification describes.
 */
export function arm<const N extends string>(namespace: N, names: ParamSchemas = {}, version?: string): Arm<N> {
  const dialect: Dialect = {
    name: 'arm',
    version,
    security: { type: 'http', scheme: 'bearer', description: 'A token of the identity service or a trusted issuer.' },
    operationNames: 'perResource',
    caseSensitive: false,
    error: ArmError,
    errorStatuses,
  }
  const of = <M extends Method>(method: M) =>
    ((path: string, { query, ...details }: { query?: Properties }) => ({
      params: paramsOf(path, { resourceGroupName, ...names }),
      ...details,
      dialect,
      method,
      path,
      query: Type.Object({ ...withVersion(path.includes('/providers/') ? version : managerVersions[0]), ...query }),
    })) as unknown as Constructor<M> // the type says what this does; TypeScript cannot see through the spread

  return {
    namespace,
    dialect,
    inGroup: (path) =>
      `/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/${namespace}${path}`,
    inSubscription: (path) => `/subscriptions/{subscriptionId}/providers/${namespace}${path}`,
    get: of('GET'),
    head: of('HEAD'),
    put: of('PUT'),
    patch: of('PATCH'),
    post: of('POST'),
    delete: of('DELETE'),
  }
}

const namespacedMark = 'x-icosa-namespaced'

/**
 * A text that the platform writes and that holds the namespace: an id, a type, an action. It comes in the spelling of the
 * question; every other text comes as it was sent or stored.
 */
export const namespaced = (keywords: Parameters<typeof Type.String>[0] = {}) =>
  Object.assign(Type.String(keywords), { [namespacedMark]: true }) as Schema<string>

export const isNamespaced = (schema: object): boolean => namespacedMark in schema

/** The members that every resource has; callers send `location` and `tags`. */
export const resourceFields = {
  id: readOnly(Type.Optional(namespaced())),
  name: readOnly(Type.Optional(Type.String())),
  type: readOnly(Type.Optional(namespaced())),
}

export const Tags = Type.Record(Type.String({ maxLength: 256 }))

export const trackedFields = {
  ...resourceFields,
  location: Type.String({ minLength: 1, maxLength: 100 }),
  tags: Type.Optional(Tags),
}

/** A page of resources. */
export const listOf = <T extends Schema>(title: string, item: T) =>
  named(title, { value: Type.Array(item as Schema<T['~static']>), nextLink: Type.Optional(Type.String()) })

const OperationStatusBody = named('OperationStatus', {
  id: namespaced(),
  name: Type.String(),
  status: Type.String({ description: 'InProgress, Succeeded, Failed or Canceled.' }),
  startTime: Type.String({ format: 'date-time' }),
  endTime: Type.Optional(Type.String({ format: 'date-time' })),
  percentComplete: Type.Optional(Type.Number()),
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
})

/** Where callers ask how a long-running operation is going, and for its result. */
export function operationRoutes({ get, inSubscription }: Arm<'Vendor.Area'>, result: Schema = Type.Unknown()) {
  return {
    get: get(inSubscription('/locations/{location}/operationStatuses/{operationId}'), {
      summary: 'Read the status of a long-running operation.',
      replies: { 200: OperationStatusBody },
      extension: true,
    }),
    result: get(inSubscription('/locations/{location}/operationResults/{operationId}'), {
      summary: 'Read the result of a long-running operation: 202 until it has ended, its error if it failed.',
      replies: { 200: result, 202: null, 204: null },
      extension: true,
    }),
  }
}

const OperationDefinition = named('OperationDefinition', {
  name: namespaced(),
  display: Type.Object({
    provider: Type.String(),
    resource: namespaced(),
    operation: Type.String(),
    description: Type.String(),
  }),
})

/** The list of a provider's operations, which the server writes from the contracts; not all specifications have it. */
export function providerOperations<N extends string>({ get, namespace }: Arm<N>, { extension = false } = {}) {
  return {
    list: get(`/providers/${namespace}/operations` as `/providers/${N}/operations`, {
      summary: 'List the operations of the provider, with the permission that each needs.',
      query: { $skipToken: Type.Optional(Type.String()) },
      replies: { 200: listOf('OperationDefinitionListResult', OperationDefinition) },
      ...(extension && { extension }),
    }),
  }
}

const Subscription = named('Subscription', {
  id: Type.String(),
  subscriptionId: Type.String(),
  tenantId: Type.String(),
  displayName: Type.String(),
  state: Type.String(),
})

const ResourceGroup = named('ResourceGroup', {
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  location: Type.String(),
  properties: Type.Object({ provisioningState: Type.String() }),
})

/** What generic tools ask a resource manager before anything else. No specification of a service has it. */
export function subscriptionRoutes({ get }: Arm<'Vendor.Area'>) {
  return {
    list: get('/subscriptions', {
      summary: "List the caller's subscriptions.",
      replies: { 200: listOf('SubscriptionListResult', Subscription) },
      extension: true,
    }),
    get: get('/subscriptions/{subscriptionId}', {
      summary: 'Read a subscription of the caller.',
      replies: { 200: Subscription },
      extension: true,
    }),
  }
}

export function groupRoutes({ get }: Arm<'Vendor.Area'>) {
  return {
    list: get('/subscriptions/{subscriptionId}/resourceGroups', {
      summary: 'List the resource groups in which the caller has something, of any service.',
      query: { $skipToken: Type.Optional(Type.String({ maxLength: 2000 })) },
      replies: { 200: listOf('ResourceGroupListResult', ResourceGroup) },
      extension: true,
    }),
    get: get('/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}', {
      summary: 'Read a resource group.',
      replies: { 200: ResourceGroup },
      extension: true,
    }),
  }
}

/** What differs from one kind of resource to the next. */
export interface Family<One, Many, Page, Input, Change, Put, Patch, Delete> {
  /** 'configuration store': for summaries. */
  readonly noun: string
  readonly one: One
  readonly many: Many
  readonly page: Page
  readonly put: { readonly summary: string; readonly body: Input; readonly replies: Put }
  readonly patch: { readonly summary: string; readonly body: Change; readonly replies: Patch }
  readonly delete: { readonly summary: string; readonly replies: Delete }
}

/**
 * The operations that a kind of resource has: two lists, and reading, making, changing and deleting one. A service
 * takes them over under its own names, and writes those itself that are different.
 */
export function resourceFamily<
  N extends string,
  const Collection extends string,
  const Name extends string,
  One extends Schema,
  Many extends Schema,
  Page extends Properties,
  Input extends Schema,
  Change extends Schema,
  Put extends Replies,
  Patch extends Replies,
  Delete extends Replies,
>(api: Arm<N>, collection: Collection, name: Name, family: Family<One, Many, Page, Input, Change, Put, Patch, Delete>) {
  const { noun, one, many, page } = family
  const at = api.inGroup(`/${collection}/{${name}}` as const)
  const list = { query: page, replies: { 200: many } }
  return {
    at,
    list: api.get(api.inSubscription(`/${collection}` as const), {
      ...list,
      summary: `List the ${noun}s of a subscription.`,
    }),
    listByResourceGroup: api.get(api.inGroup(`/${collection}` as const), {
      ...list,
      summary: `List the ${noun}s of a resource group.`,
    }),
    get: api.get(at, { summary: `Read a ${noun}.`, replies: { 200: one } }),
    put: api.put(at, family.put),
    patch: api.patch(at, family.patch),
    delete: api.delete(at, family.delete),
  }
}
