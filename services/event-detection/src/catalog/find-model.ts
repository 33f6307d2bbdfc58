import { notFound, type ReadingDb } from '@icosa/kernel'
import { find, findVersion, type Model, type ModelKind, type ModelVersion } from './model-store.ts'

export async function findModel(db: ReadingDb, tenant: string, kind: ModelKind, name: string): Promise<Model> {
  return (await find(db, tenant, kind, name)) ?? notFound(`${kind} model`, name)
}

export interface ResolvedVersion<Definition> {
  readonly model: Model
  readonly version: ModelVersion<Definition>
}

/** Finds a version of a model, by default the current one. */
export async function findModelVersion<Definition>(
  db: ReadingDb,
  model: Model,
  requested: string = String(model.version),
): Promise<ResolvedVersion<Definition>> {
  const number = /^\d{1,9}$/.test(requested) ? Number(requested) : 0
  const version = await findVersion<Definition>(db, model, number)
  return { model, version: version ?? notFound(`version of the ${model.kind} model ${model.name}`, requested) }
}

/** Older versions can only be read. */
export const statusOf = ({ version: current }: Model, { version }: Pick<ModelVersion, 'version'>) =>
  version === current ? ('ACTIVE' as const) : ('INACTIVE' as const)
