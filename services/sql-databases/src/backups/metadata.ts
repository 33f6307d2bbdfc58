import { Failure, invalid, paramsReader, type RestoreMetadata } from '@icosa/kernel'
import { defaultObjective, levelOf, pooledObjective } from '../configuration/levels.ts'
import { type LicenseType, names } from '../databases/contract.ts'
import { checkNotReserved, type DatabaseScope } from '../databases/scope.ts'
import type { DatabaseRow, NewRow } from '../databases/store.ts'

const scopeKeys = ['subscriptionId', 'resourceGroupName', 'serverName', 'databaseName'] as const
const keys = [
  ...scopeKeys,
  'location',
  'objective',
  'maxSizeBytes',
  'maxConnections',
  'collation',
  'licenseType',
] as const

/** Metadata for restoring the same database. The pool is not included: it may be full or deleted. */
export function metadataOf(row: DatabaseRow): RestoreMetadata {
  const objective = row.objective === pooledObjective ? defaultObjective : row.objective
  const values = { ...row, objective }
  return Object.fromEntries(keys.flatMap((key) => (values[key] === null ? [] : [[key, String(values[key])]])))
}

type Settings = Pick<NewRow, 'location' | 'objective' | 'maxSizeBytes' | 'maxConnections' | 'collation' | 'licenseType'>

const readNames = paramsReader(names)

/** Names of the restored database and its server. */
export function placeIn(metadata: RestoreMetadata): DatabaseScope {
  const unknown = Object.keys(metadata).filter((key) => !(keys as readonly string[]).includes(key))
  if (unknown.length > 0)
    invalid([{ at: `Metadata/${unknown[0]}`, message: `is unknown: a database has ${keys.join(', ')}` }])
  const missing = scopeKeys.filter((key) => !metadata[key])
  if (missing.length > 0) invalid([{ at: `Metadata/${missing[0]}`, message: 'is required' }])
  const of = (key: (typeof scopeKeys)[number]) => metadata[key] ?? ''
  const scope = readNames({
    subscriptionId: of('subscriptionId'),
    resourceGroupName: of('resourceGroupName'),
    serverName: of('serverName'),
    databaseName: of('databaseName'),
  })
  checkNotReserved(scope.databaseName)
  return scope
}

export function configurationIn(metadata: RestoreMetadata): Settings {
  const { location = 'global', objective = defaultObjective, collation = null, licenseType } = metadata
  return {
    location,
    objective: levelOf(objective).objective,
    maxSizeBytes: wholeOf(metadata, 'maxSizeBytes', 2 ** 24),
    maxConnections: wholeOf(metadata, 'maxConnections', 1),
    collation,
    licenseType: licenseType === undefined ? null : licenseOf(licenseType),
  }
}

function wholeOf(metadata: RestoreMetadata, key: string, min: number): number | null {
  const text = metadata[key]
  if (text === undefined) return null
  if (!/^\d{1,15}$/.test(text) || Number(text) < min)
    throw new Failure('invalid', `Metadata/${key} must be a whole number of at least ${min}.`)
  return Number(text)
}

function licenseOf(text: string): LicenseType {
  const licenseType = (['LicenseIncluded', 'BasePrice'] as const).find((candidate) => candidate === text)
  return licenseType ?? invalid([{ at: 'Metadata/licenseType', message: 'must be LicenseIncluded or BasePrice' }])
}
