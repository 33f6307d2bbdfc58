import { Failure, invalid } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { unsupported } from '../unsupported.ts'
import type { PoolInput, PoolPropertiesInput, PoolUpdate } from './contract.ts'
import { defaultPoolSku, poolLevelOf, readPoolSku } from './levels.ts'
import type { DesiredPool } from './store.ts'

/** The pool of a PUT. Omitted fields get their defaults. */
export function readDesiredPool({ sku = defaultPoolSku, properties = {}, tags = {} }: PoolInput): DesiredPool {
  refuseUnsupported(properties)
  return checked({
    tags,
    objective: readPoolSku(sku).objective,
    maxSizeBytes: properties.maxSizeBytes ?? null,
    maxConnections: properties.maxConnections ?? null,
    maxCapacity: properties.perDatabaseSettings?.maxCapacity ?? null,
    licenseType: properties.licenseType ?? null,
  })
}

/** The pool after a PATCH. */
export function updateDesiredPool(before: DesiredPool, { sku, properties = {}, tags }: PoolUpdate): DesiredPool {
  refuseUnsupported(properties)
  return checked({
    tags: tags ?? before.tags,
    objective: sku ? readPoolSku(sku).objective : before.objective,
    maxSizeBytes: properties.maxSizeBytes ?? before.maxSizeBytes,
    maxConnections: properties.maxConnections ?? before.maxConnections,
    maxCapacity: properties.perDatabaseSettings?.maxCapacity ?? before.maxCapacity,
    licenseType: properties.licenseType ?? before.licenseType,
  })
}

function refuseUnsupported({ zoneRedundant, perDatabaseSettings }: PoolPropertiesInput): void {
  if (zoneRedundant) notSupported(unsupported.zoneRedundant, 'zoneRedundant')
  if ((perDatabaseSettings?.minCapacity ?? 0) > 0) notSupported(unsupported.poolMinCapacity)
}

function checked(desired: DesiredPool): DesiredPool {
  const { maxSizeBytes, maxConnections, maxCapacity, objective } = desired
  const { sku, connections, maxSizeBytes: maxSize } = poolLevelOf(objective)
  const refuseAbove = (at: string, max: number) =>
    invalid([{ at: `body/properties/${at}`, message: `must be at most ${max}` }])
  if (maxSizeBytes !== null && maxSizeBytes > maxSize)
    throw new Failure('invalid', `${sku.name} allows at most ${maxSize} bytes: request less, or choose another sku.`, {
      code: 'InvalidMaxSizeTierCombination',
    })
  if (maxConnections !== null && maxConnections > connections) refuseAbove('maxConnections', connections)
  if (maxCapacity === null) return desired
  if (maxCapacity < 1 || !Number.isInteger(maxCapacity))
    invalid([
      { at: 'body/properties/perDatabaseSettings/maxCapacity', message: 'must be a whole number of at least 1' },
    ])
  if (maxCapacity > sku.capacity) refuseAbove('perDatabaseSettings/maxCapacity', sku.capacity)
  return desired
}

/** Whether both give the pool's databases the same limits. */
export const samePoolLimits = (a: DesiredPool, b: DesiredPool) =>
  a.objective === b.objective &&
  a.maxSizeBytes === b.maxSizeBytes &&
  a.maxConnections === b.maxConnections &&
  a.maxCapacity === b.maxCapacity
