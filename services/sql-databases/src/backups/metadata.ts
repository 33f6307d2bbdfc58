import { Failure, invalid, paramsReader, type RestoreMetadata } from '@icosa/kernel'
import { defaultObjective, levelOf, pooledObjective } from '../configuration/levels.ts'
import { type LicenseType, names } from '../databases/contract.ts'
import { checkNotReserved, type DatabaseScope } from '../databases/scope.ts'
import type { DatabaseRow, NewRow } from '../databases/store.ts'

const place = ['subscriptionId', 'resourceGroupName', 'serverName', 'databaseName'] as const
const known = [...place, 'location', 'objective', 'maxSizeBytes', 'maxConnections', 'collation', 'licenseType'] as const

/** With which a restore makes the same database again. A pool is not part of it: that may be full, or gone. */
export function metadataOf(row: DatabaseRow): RestoreMetadata {
  const objective = row.objective === pooledObjective ? defaultObjective : row.objective
  const all = { ...row, objective }
  return Object.fromEntries(known.flatMap((key) => (all[key] === null ? [] : [[key, String(all[key])]])))
}

type Restored = Pick<NewRow, 'location' | 'objective' | 'maxSizeBytes' | 'maxConnections' | 'collation' | 'licenseType'>

const readNames = paramsReader(names)

/** Where the restored database is to be. */
export function placeIn(metadata: RestoreMetadata): DatabaseScope {
  const unknown = Object.keys(metadata).filter((key) => !(known as readonly string[]).includes(key))
  if (unknown.length > 0)
    invalid([{ at: `Metadata/${unknown[0]}`, message: `is not known: a database has ${known.join(', ')}` }])
  const missing = place.filter((key) => !metadata[key])
  if (missing.length > 0) invalid([{ at: `Metadata/${missing[0]}`, message: 'is required' }])
  const of = (key: (typeof place)[number]) => metadata[key] ?? ''
  const scope = readNames({
    subscriptionId: of('subscriptionId'),
    resourceGroupName: of('resourceGroupName'),
    serverName: of('serverName'),
    databaseName: of('databaseName'),
  })
  checkNotReserved(scope.databaseName)
  return scope
}

export function configurationIn(metadata: RestoreMetadata): Restored {
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

function wholeOf(metadata: RestoreMetadata, key: string, least: number): number | null {
  const text = metadata[key]
  if (text === undefined) return null
  if (!/^\d{1,15}$/.test(text) || Number(text) < least)
    throw new Failure('invalid', `Metadata/${key} must be a whole number of at least ${least}.`)
  return Number(text)
}

function licenseOf(text: string): LicenseType {
  const found = (['LicenseIncluded', 'BasePrice'] as const).find((one) => one === text)
  return found ?? invalid([{ at: 'Metadata/licenseType', message: 'must be LicenseIncluded or BasePrice' }])
}
