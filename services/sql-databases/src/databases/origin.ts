import { type Context, Failure, invalid } from '@icosa/kernel'
import type { DesiredConfiguration } from '../configuration/desired.ts'
import { isWarehouse, levelOf } from '../configuration/levels.ts'
import { checkRetaining } from '../configuration/retention.ts'
import * as dropped from '../restores/store.ts'
import { readDroppedName } from '../restores/view.ts'
import { type Archived, windowOf } from '../restores/window.ts'
import type { SqlSettings } from '../settings.ts'
import { busy } from './begin.ts'
import type { PropertiesInput } from './contract.ts'
import { type DatabaseScope, notAnId, readChildId, readDatabaseId } from './scope.ts'
import type { DatabaseRow } from './store.ts'
import * as store from './store.ts'

/** The database whose content a new one begins with. */
export interface Source extends Pick<DesiredConfiguration, 'objective' | 'maxSizeBytes'>, Archived {
  readonly id: string
  readonly physical: string
  readonly databaseName: string
  readonly collation: string | null
  readonly hostCollation: string | null
}

/** From what a database is created: nothing, the current content of another one, or that of an earlier time. */
export type Origin =
  | { readonly mode: 'Default' }
  | { readonly mode: 'Copy'; readonly source: DatabaseRow }
  | {
      readonly mode: 'PointInTimeRestore' | 'Restore' | 'Recovery'
      readonly source: Source
      /** Undefined: the latest that there is. */
      readonly at: Date | undefined
    }

type Field =
  | 'sourceDatabaseId'
  | 'restorePointInTime'
  | 'restorableDroppedDatabaseId'
  | 'recoverableDatabaseId'
  | 'sourceDatabaseDeletionDate'
  | 'sampleName'

const fieldsOf: Readonly<Record<Origin['mode'], readonly Field[]>> = {
  Default: ['sampleName'],
  Copy: ['sourceDatabaseId'],
  PointInTimeRestore: ['sourceDatabaseId', 'restorePointInTime'],
  Restore: ['sourceDatabaseId', 'restorableDroppedDatabaseId', 'sourceDatabaseDeletionDate', 'restorePointInTime'],
  Recovery: ['sourceDatabaseId', 'recoverableDatabaseId'],
}

export const originFields = [...new Set(Object.values(fieldsOf).flat())]

type Mode = NonNullable<PropertiesInput['createMode']>

/** Modes that other parts have rejected before are not among them. */
const isMode = (mode: Mode): mode is Origin['mode'] => mode in fieldsOf

const refuse = (message: string, code: string): never => {
  throw new Failure('invalid', message, { code })
}

export async function originOf(context: Context, properties: PropertiesInput): Promise<Origin> {
  const { createMode: mode = 'Default', sourceDatabaseId, restorePointInTime } = properties
  if (!isMode(mode)) throw new Error(`${mode} was not rejected`)
  for (const field of originFields)
    if (properties[field] !== undefined && !fieldsOf[mode].includes(field))
      invalid([{ at: `body/properties/${field}`, message: `cannot be used with createMode ${mode}` }])
  const at = restorePointInTime === undefined ? undefined : new Date(restorePointInTime)
  switch (mode) {
    case 'Default':
      return { mode }
    case 'Copy':
      return { mode, source: await existing(context, sourceDatabaseId ?? missingId('a database')) }
    case 'PointInTimeRestore':
      if (!at) refuse('Set properties.restorePointInTime to the time to restore.', 'MissingRestorePointInTime')
      return { mode, source: await existing(context, sourceDatabaseId ?? missingId('a database')), at }
    case 'Recovery': {
      const id = properties.recoverableDatabaseId ?? sourceDatabaseId ?? missingId('a recoverable database')
      return { mode, source: await recoverable(context, id), at: undefined }
    }
    case 'Restore':
      return { mode, source: await deleted(context, properties), at }
  }
}

function missingId(noun: string): never {
  throw new Failure('invalid', `Set properties.sourceDatabaseId to the id of ${noun}.`, {
    code: 'MissingSourceDatabaseId',
  })
}

const invalidId = 'InvalidSourceDatabaseId'

const existing = (context: Context, id: string) => findSource(context, readDatabaseId(id, invalidId))

const recoverable = (context: Context, id: string) => {
  const { name, ...scope } =
    readChildId(id, 'recoverableDatabases', 'databaseName') ??
    readChildId(id, 'databases', 'databaseName') ??
    notAnId(id, 'a recoverable database', 'recoverableDatabases', invalidId)
  return findSource(context, { ...scope, databaseName: name })
}

async function findSource({ db, caller }: Context, scope: DatabaseScope): Promise<DatabaseRow> {
  return (await store.find(db, caller.tenant, scope)) ?? sourceNotFound(scope.databaseName)
}

function sourceNotFound(name: string): never {
  throw new Failure('invalid', `The source database '${name}' does not exist.`, { code: 'SourceDatabaseNotFound' })
}

/** A deleted database, by its own id, or by its former one and the date of its deletion. */
async function deleted(
  { db, caller }: Context,
  { restorableDroppedDatabaseId, sourceDatabaseId, sourceDatabaseDeletionDate }: PropertiesInput,
): Promise<Source> {
  const id = restorableDroppedDatabaseId ?? sourceDatabaseId ?? missingId('a restorable dropped database')
  const asDropped = readChildId(id, 'restorableDroppedDatabases', 'restorableDroppedDatabaseId')
  if (asDropped) {
    const { name, ...scope } = asDropped
    const { databaseName, droppedAt } = readDroppedName(name)
    return (await dropped.find(db, caller.tenant, { ...scope, databaseName }, droppedAt)) ?? sourceNotFound(name)
  }
  const asExisting = readChildId(id, 'databases', 'databaseName')
  if (restorableDroppedDatabaseId !== undefined || !asExisting)
    notAnId(id, 'a restorable dropped database', 'restorableDroppedDatabases', invalidId)
  const { name, ...scope } = asExisting
  if (sourceDatabaseDeletionDate === undefined)
    return refuse(
      'Set properties.sourceDatabaseDeletionDate to the deletionDate of the database, or use the id of the restorable dropped database.',
      'MissingSourceDatabaseDeletionDate',
    )
  const droppedAt = new Date(sourceDatabaseDeletionDate)
  return (await dropped.find(db, caller.tenant, { ...scope, databaseName: name }, droppedAt)) ?? sourceNotFound(name)
}

/** What a row keeps of its origin. */
export type OriginColumns = Pick<DatabaseRow, 'source' | 'restoreSource' | 'restoreTime'>

/** Whether a database was requested with the same origin. */
export function isFrom(row: OriginColumns, origin: Origin): boolean {
  if (origin.mode === 'Default') return row.source === null
  const isRestore = row.restoreTime !== null
  if (row.source !== origin.source.id || isRestore !== (origin.mode !== 'Copy')) return false
  return origin.mode === 'Copy' || origin.at === undefined || row.restoreTime?.getTime() === origin.at.getTime()
}

/** Rejects a source that cannot be read. */
export function checkOrigin(origin: Origin, objective: string, settings: SqlSettings, now: Date): OriginColumns {
  switch (origin.mode) {
    case 'Default':
      return { source: null, restoreSource: null, restoreTime: null }
    case 'Copy':
      checkCopy(origin.source, objective)
      return { source: origin.source.id, restoreSource: null, restoreTime: null }
    default: {
      const { id, physical } = origin.source
      return {
        source: id,
        restoreSource: physical,
        restoreTime: restoreTimeOf(origin.source, origin.at, settings, now),
      }
    }
  }
}

function checkCopy(source: DatabaseRow, objective: string): void {
  if (!['Online', 'Paused'].includes(source.status)) busy(source)
  if (isWarehouse(levelOf(source.objective)) || isWarehouse(levelOf(objective)))
    refuse('A data warehouse can be neither the source nor the target of a copy.', 'FeatureDisabledOnSelectedEdition')
}

/** What was committed in the last seconds may not be archived yet: the restore waits for it. */
function restoreTimeOf(source: Source, requested: Date | undefined, settings: SqlSettings, now: Date): Date {
  checkRetaining(settings)
  const window = windowOf(source, settings, now)
  const { databaseName, droppedAt } = source
  if (!window) return refuse(`The database '${databaseName}' is not archived yet: try again.`, 'RestorePointNotFound')
  const at = requested ?? droppedAt ?? window.to
  const last = droppedAt ?? (now > window.to ? now : window.to)
  if (at >= window.from && at <= last) return at
  return refuse(
    `The database '${databaseName}' can be restored to times from ${window.from.toISOString()} to ${last.toISOString()}.`,
    'RestorePointInTimeOutOfRange',
  )
}
