import { notFound, type ReadingDb } from '@icosa/kernel'
import { find, findVersion, type Model, type ModelKind, type ModelVersion } from './model-store.ts'

export async function findModel(db: ReadingDb, tenant: string, kind: ModelKind, name: string): Promise<Model> {
  return (await find(db, tenant, kind, name)) ?? notFound(`${kind} model`, name)
}

export interface FoundVersion<Definition> {
  readonly model: Model
  readonly version: ModelVersion<Definition>
}

/** A version of a model, the current one unless another is named. */
export async function findModelVersion<Definition>(
  db: ReadingDb,
  model: Model,
  named: string = String(model.version),
): Promise<FoundVersion<Definition>> {
  const number = /^\d{1,9}$/.test(named) ? Number(named) : 0
  const version = await findVersion<Definition>(db, model, number)
  return { model, version: version ?? notFound(`version of the ${model.kind} model ${model.name}`, named) }
}

/** Older versions are kept to be read, not to be used. */
export const statusOf = ({ version: current }: Model, { version }: Pick<ModelVersion, 'version'>) =>
  version === current ? ('ACTIVE' as const) : ('INACTIVE' as const)
