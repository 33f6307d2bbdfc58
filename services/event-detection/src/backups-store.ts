import { type Db, sql } from '@icosa/kernel'
import { ownRows, type RowsOf } from '@icosa/module/rows'
import type { Model } from './catalog/model-store.ts'

export const inputTable = 'event_detection.inputs'
export const modelTable = 'event_detection.models'
export const versionTable = 'event_detection.versions'

export const rowsOfInput = (tenant: string, name: string): RowsOf[] => [
  ownRows(inputTable, sql`tenant = ${tenant} and name = ${name}`, 'name', ['tenant', 'name', 'tags']),
]

/** A model with all versions, but without the states of its instances. */
export const rowsOfModel = ({ tenant, id }: Pick<Model, 'tenant' | 'id'>): RowsOf[] => [
  ownRows(modelTable, sql`tenant = ${tenant} and id = ${id}`, 'id', [
    'tenant',
    'kind',
    'name',
    'id',
    'generation',
    'tags',
  ]),
  ownRows(versionTable, sql`tenant = ${tenant} and model_id = ${id}`, 'version', ['tenant', 'model_id']),
]

/** New ids of a model and its generation. */
export function newIds(db: Db): Promise<{ readonly id: string; readonly generation: string }> {
  return db.one(sql`
    select nextval(pg_get_serial_sequence('event_detection.models', 'id'))::text as id,
      nextval('event_detection.generations')::text as generation`)
}
