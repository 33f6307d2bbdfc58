import { type ReadingDb, sql } from '@icosa/kernel'
import type { ModelKind } from '../catalog/model-store.ts'
import type { LoggingOptions } from '../logging/contract.ts'

/** A model with the logging options of its tenant. */
export interface ModelRow {
  readonly id: string
  readonly tenant: string
  readonly kind: ModelKind
  readonly name: string
  readonly version: number
  readonly generation: string
  readonly logging: LoggingOptions | null
}

const columns = sql`id, model.tenant, kind, name, version, generation, options as logging`
const source = sql`event_detection.models as model
  left join event_detection.logging_options as logging on logging.tenant = model.tenant`

/** Loads models by id or generation. */
export function load(db: ReadingDb, ids: readonly string[], generations: readonly string[]): Promise<ModelRow[]> {
  return db.many(sql`
    select ${columns} from ${source}
    where id = any(${ids}::bigint[]) or generation = any(${generations}::bigint[])`)
}

export async function definitionOf(db: ReadingDb, { tenant, id, version }: ModelRow): Promise<unknown> {
  const { definition } = await db.one<{ definition: unknown }>(sql`
    select definition from event_detection.versions
    where tenant = ${tenant} and model_id = ${id} and version = ${version}`)
  return definition
}
