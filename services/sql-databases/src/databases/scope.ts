import { parseResourceId, type ResourceId, resourceId } from '@icosa/dialects/arm/ids'
import { keyOf } from '@icosa/dialects/arm/names'
import { Failure, paramsReader } from '@icosa/kernel'
import { originalNamespace } from '../names.ts'
import { api, names } from './contract.ts'

export { keyOf } from '@icosa/dialects/arm/names'

/** The server of databases, in the caller's spelling. */
export interface ServerScope {
  readonly subscriptionId: string
  readonly resourceGroupName: string
  readonly serverName: string
}

export interface DatabaseScope extends ServerScope {
  readonly databaseName: string
}

/** For names in an id instead of a path. */
const checkNames = paramsReader(names)

export function databaseId(scope: DatabaseScope): string {
  return resourceId(scope, api.namespace, 'servers', scope.serverName, 'databases', scope.databaseName)
}

export function poolId(scope: ServerScope, pool: string): string {
  return resourceId(scope, api.namespace, 'servers', scope.serverName, 'elasticPools', pool)
}

/** Parses a database id, in either spelling of the namespace. */
export function readDatabaseId(id: string, code: string): DatabaseScope {
  const { name, ...scope } =
    readChildId(id, 'databases', 'databaseName') ?? notAnId(id, 'a database', 'databases', code)
  return { ...scope, databaseName: name }
}

/** Parses the id of a resource of a server. Undefined if it is of another kind. */
export function readChildId(
  id: string,
  kind: string,
  param: 'databaseName' | 'restorableDroppedDatabaseId',
): (ServerScope & { readonly name: string }) | undefined {
  const parsed = parseServerChild(id)
  const [servers, serverName, actualKind, name] = parsed?.segments ?? []
  if (!parsed || !serverName || !name || !isWord(servers, 'servers') || !isWord(actualKind, kind)) return undefined
  const { subscriptionId, resourceGroupName } = parsed
  checkNames({ [param]: name })
  return { ...checkNames({ subscriptionId, resourceGroupName, serverName }), name }
}

export function notAnId(id: string, noun: string, kind: string, code: string): never {
  throw new Failure('invalid', `'${id}' is not the id of ${noun}, which looks like ${example(kind)}.`, { code })
}

/** Returns the name in an elastic pool id, which must be on the same server. */
export function readPoolId(id: string, scope: ServerScope): string {
  const parsed = parseServerChild(id)
  const [servers, serverName, pools, elasticPoolName] = parsed?.segments ?? []
  if (!parsed || !serverName || !elasticPoolName || !isWord(servers, 'servers') || !isWord(pools, 'elasticPools'))
    notAnId(id, 'an elastic pool', 'elasticPools', 'InvalidResourceId')
  checkSameServer({ ...parsed, serverName }, scope)
  return checkNames({ elasticPoolName }).elasticPoolName
}

/** System databases, here or in the original. */
const reserved = ['master', 'model', 'msdb', 'resource', 'tempdb', 'postgres', 'template0', 'template1']

export function checkNotReserved(name: string): void {
  if (reserved.includes(keyOf(name)))
    throw new Failure('invalid', `'${name}' is the name of a system database: choose another.`, {
      code: 'CannotUseReservedDatabaseName',
    })
}

export function checkSameServer(requested: ServerScope, scope: ServerScope): void {
  const mismatch = (code: string, part: string) => {
    throw new Failure(
      'invalid',
      `The ${part} in the id differs from the one in the URL: a database cannot leave its server.`,
      {
        code,
      },
    )
  }
  if (keyOf(requested.subscriptionId) !== keyOf(scope.subscriptionId))
    mismatch('MismatchingSubscriptionWithUrl', 'subscription')
  if (keyOf(requested.resourceGroupName) !== keyOf(scope.resourceGroupName))
    mismatch('MismatchingResourceGroupNameWithUrl', 'resource group')
  if (keyOf(requested.serverName) !== keyOf(scope.serverName)) mismatch('MismatchingServerNameWithUrl', 'server')
}

function parseServerChild(id: string): ResourceId | undefined {
  const parsed = parseResourceId(id)
  const isOurs = [api.namespace, originalNamespace].some((namespace) => isWord(parsed?.namespace, namespace))
  return isOurs && parsed?.segments.length === 4 ? parsed : undefined
}

const isWord = (text: string | undefined, word: string) => text?.toLowerCase() === word.toLowerCase()

const examples: Readonly<Record<string, string>> = {
  elasticPools: 'small',
  restorableDroppedDatabases: 'orders,134239680000000000',
}

const example = (kind: string) =>
  resourceId(
    { subscriptionId: 'main', resourceGroupName: 'web' },
    api.namespace,
    'servers',
    'eu',
    kind,
    examples[kind] ?? 'orders',
  )
