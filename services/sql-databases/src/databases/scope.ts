import { parseResourceId, type ResourceId, resourceId } from '@icosa/dialects/arm/ids'
import { keyOf } from '@icosa/dialects/arm/names'
import { Failure, paramsReader } from '@icosa/kernel'
import { originalNamespace } from '../names.ts'
import { api, names } from './contract.ts'

export { keyOf } from '@icosa/dialects/arm/names'

/** Where databases stand, as the caller writes it. */
export interface ServerScope {
  readonly subscriptionId: string
  readonly resourceGroupName: string
  readonly serverName: string
}

export interface DatabaseScope extends ServerScope {
  readonly databaseName: string
}

/** For names that come in an id instead of a path. */
const checkNames = paramsReader(names)

export function databaseId(scope: DatabaseScope): string {
  return resourceId(scope, api.namespace, 'servers', scope.serverName, 'databases', scope.databaseName)
}

export function poolId(scope: ServerScope, pool: string): string {
  return resourceId(scope, api.namespace, 'servers', scope.serverName, 'elasticPools', pool)
}

/** A database by its id, in either spelling of the namespace. */
export function readDatabaseId(id: string, code: string): DatabaseScope {
  const found = ofServer(id)
  const [servers, serverName, databases, databaseName] = found?.segments ?? []
  if (!found || !serverName || !databaseName || !isWord(servers, 'servers') || !isWord(databases, 'databases'))
    throw new Failure('invalid', `'${id}' is not the id of a database, which looks like ${example('databases')}.`, {
      code,
    })
  const { subscriptionId, resourceGroupName } = found
  return checkNames({ subscriptionId, resourceGroupName, serverName, databaseName })
}

/** The name of an elastic pool by its id. Pools are of one server. */
export function readPoolId(id: string, scope: ServerScope): string {
  const found = ofServer(id)
  const [servers, serverName, pools, elasticPoolName] = found?.segments ?? []
  if (!found || !serverName || !elasticPoolName || !isWord(servers, 'servers') || !isWord(pools, 'elasticPools'))
    throw new Failure(
      'invalid',
      `'${id}' is not the id of an elastic pool, which looks like ${example('elasticPools')}.`,
      {
        code: 'InvalidResourceId',
      },
    )
  checkSameServer({ ...found, serverName }, scope)
  return checkNames({ elasticPoolName }).elasticPoolName
}

/** Databases that every server has for itself, here or at the original. */
const reserved = ['master', 'model', 'msdb', 'resource', 'tempdb', 'postgres', 'template0', 'template1']

export function checkNotReserved(name: string): void {
  if (reserved.includes(keyOf(name)))
    throw new Failure('invalid', `'${name}' is the name of a system database: choose another.`, {
      code: 'CannotUseReservedDatabaseName',
    })
}

export function checkSameServer(said: ServerScope, scope: ServerScope): void {
  const mismatch = (code: string, what: string) => {
    throw new Failure(
      'invalid',
      `The ${what} in the id differs from the one in the URL: a database cannot leave its server.`,
      {
        code,
      },
    )
  }
  if (keyOf(said.subscriptionId) !== keyOf(scope.subscriptionId))
    mismatch('MismatchingSubscriptionWithUrl', 'subscription')
  if (keyOf(said.resourceGroupName) !== keyOf(scope.resourceGroupName))
    mismatch('MismatchingResourceGroupNameWithUrl', 'resource group')
  if (keyOf(said.serverName) !== keyOf(scope.serverName)) mismatch('MismatchingServerNameWithUrl', 'server')
}

function ofServer(id: string): ResourceId | undefined {
  const found = parseResourceId(id)
  const isOurs = [api.namespace, originalNamespace].some((one) => isWord(found?.namespace, one))
  return isOurs && found?.segments.length === 4 ? found : undefined
}

const isWord = (said: string | undefined, word: string) => said?.toLowerCase() === word.toLowerCase()

const example = (kind: string) =>
  resourceId(
    { subscriptionId: 'main', resourceGroupName: 'web' },
    api.namespace,
    'servers',
    'eu',
    kind,
    kind === 'databases' ? 'orders' : 'small',
  )
