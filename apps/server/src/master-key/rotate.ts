import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, type Db, Failure, type SealedColumn } from '@icosa/kernel'
import { type cipher, dataKeys, learnEveryMs, openVault } from '@icosa/tokens'
import { type Progress, type Resealed, resealAll } from './reseal.ts'
import { retryDuringOutage } from './retry.ts'
import * as store from './store.ts'
import { replaceTenantKeys } from './tenant-keys.ts'

export interface Rotation {
  readonly database: Database
  readonly masters: dataKeys.MasterKeys
  readonly sealed: readonly SealedColumn[]
  /** An old key has leaked: keys derived from it are replaced as well. */
  readonly isStolen?: boolean
  /** How long a node may take to learn a new data key. */
  readonly learnMs?: number
  readonly onProgress: (progress: Progress) => void
  readonly onRemark: (line: string) => void
}

export interface Rotated extends Resealed {
  /** The data key under which the secrets of the cell are sealed, and the keys of tenants. */
  readonly sealedUnder: string
  /** Ids of the master keys that no longer open the database. */
  readonly retired: readonly string[]
}

/**
 * Makes the first master key the only one that opens the database. In this order, nodes with any of the master keys
 * keep running, and a rotation can be interrupted and resumed at any time: wrap all data keys with the first master
 * key; wait until all nodes know a new data key; seal the keys of tenants and the secrets of the cell under it; remove
 * the wrapped keys of all other master keys.
 */
export async function rotate(rotation: Rotation): Promise<Rotated> {
  const { database, onRemark, learnMs = learnEveryMs } = rotation
  const retry = retryDuringOutage(onRemark)
  const rows = await retry(() => database.transaction((db) => begin(db, rotation)))
  const newest = rows.findLast(({ purpose }) => purpose === 'seal') as dataKeys.DataKey
  const waitMs = await retry(() => store.settlesInMs(database, newest.id, learnMs))
  if (waitMs > 0) onRemark(`Waiting ${Math.ceil(waitMs / 1000)} s, until every node knows the data key ${newest.id}.`)
  await sleep(waitMs)

  const { masters, sealed, onProgress } = rotation
  const masterKeys = masters.map(({ bytes }) => bytes)
  const vault = await retry(() => openVault(database, { masterKeys, sealed: () => sealed }))
  if (rotation.isStolen) await replaceTenantKeys({ database, retry, vault, dataKey: newest.id, learnMs, onRemark })
  const columns = await retry(() => dataKeys.existing(database, sealed))
  const { left, unopened } = await resealAll({ database, retry, vault, target: newest.id, onProgress }, columns)
  const retired = left > 0 ? [] : await retry(() => database.transaction((db) => retire(db, rotation)))
  return { sealedUnder: newest.id, left, unopened, retired }
}

/** Returns the resulting data keys. */
async function begin(db: Db, { masters, isStolen, learnMs = learnEveryMs }: Rotation): Promise<dataKeys.DataKey[]> {
  const [first] = masters
  const rows = await lockedDataKeys(db, masters)
  for (const row of rows.filter(({ wrapped }) => !(first.id in wrapped))) {
    const added = dataKeys.wrap(unwrapped(row, masters), row.purpose, [first])
    await store.setWrapped(db, row, { ...row.wrapped, ...added })
  }
  const opening = new Set([first.id, ...dataKeys.opening(rows)])
  const make = async (purpose: dataKeys.DataKey['purpose'], aheadMs: number) => {
    if (rows.findLast((row) => row.purpose === purpose)?.madeFor === first.id) return // by an interrupted rotation
    const chosen = masters.filter(({ id }) => opening.has(id))
    await dataKeys.add(db, { purpose, madeFor: first.id, masters: chosen, aheadMs })
  }
  await make('seal', 3 * learnMs)
  if (isStolen) await make('derive', 0)
  return dataKeys.read(db)
}

async function lockedDataKeys(db: Db, masters: dataKeys.MasterKeys): Promise<dataKeys.DataKey[]> {
  await dataKeys.lock(db)
  const rows = await dataKeys.read(db)
  for (const row of rows) unwrapped(row, masters)
  const others = dataKeys.opening(rows).filter((id) => !masters.some((master) => master.id === id))
  if (others.length === 0) return rows
  // Removed silently, it would lock out nodes that have no other key.
  throw new Failure(
    'conflict',
    `The master key ${others.join(', ')} opens this database, too: a rotation was begun with it. Add it to ICOSA_MASTER_KEY.`,
  )
}

function unwrapped(row: dataKeys.DataKey, masters: dataKeys.MasterKeys): cipher.Key {
  const key = dataKeys.unwrap(row, masters)
  if (!key) throw dataKeys.misfit([row], masters)
  return key
}

async function retire(db: Db, { masters }: Rotation): Promise<string[]> {
  const [first] = masters
  const rows = await lockedDataKeys(db, masters)
  for (const row of rows) await store.setWrapped(db, row, { [first.id]: row.wrapped[first.id] as string })
  return dataKeys.opening(rows).filter((id) => id !== first.id)
}
