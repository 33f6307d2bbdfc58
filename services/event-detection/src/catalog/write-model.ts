import {
  type Clock,
  type Context,
  type Db,
  type Detail,
  Failure,
  invalid,
  type JobsOf,
  type ReadingDb,
  type ResourcesOf,
} from '@icosa/kernel'
import { definitions } from '../inputs/store.ts'
import type { InputDefinition } from '../models/contract.ts'
import { type Finding, refusals } from '../models/findings.ts'
import { arnOfResource, type Owner, register, tagMap, unregister } from '../shapes/owner.ts'
import { findModel } from './find-model.ts'
import { sweep } from './jobs.ts'
import * as store from './model-store.ts'
import { raiseVersion } from './store.ts'

/** Context of a change to a model or an input. */
export interface WriteContext {
  readonly db: Db
  readonly clock: Clock
  /** Without it, instances of older versions are deleted within the hour. */
  readonly jobs?: JobsOf
  readonly resources: ResourcesOf
  readonly owner: Owner
}

export const writeContextOf = ({ db, clock, jobs, resources }: Context, owner: Owner): WriteContext => ({
  db,
  clock,
  jobs,
  resources,
  owner,
})

/** Operations that depend on the kind of a model. */
export interface Kind<Definition> {
  readonly kind: store.ModelKind
  check(definition: Definition, inputs: ReadonlyMap<string, InputDefinition>): readonly Finding[]
  inputsOf(definition: Definition): readonly string[]
  /** Location of the definition in a request, for errors. */
  readonly at: string
}

export interface NewVersion<Definition> {
  readonly description: string | undefined
  readonly roleArn: string
  readonly definition: Definition
}

export interface NewModel<Definition> extends NewVersion<Definition> {
  readonly name: string
  readonly key: string | undefined
  readonly tags: Parameters<typeof tagMap>[0]
}

export async function createModel<Definition>(
  { db, clock, resources, owner }: WriteContext,
  kind: Kind<Definition>,
  source: NewModel<Definition>,
): Promise<store.Model> {
  const { name, key } = source
  const { tenant } = owner
  await raiseVersion(db, tenant)
  const inputs = await readInputs(db, tenant, kind, source.definition, key)
  const tags = tagMap(source.tags)
  const createdAt = clock.now()
  const model = { tenant, kind: kind.kind, name, keyAttribute: key ?? null, inputs, tags, createdAt }
  const inserted = await store.insert(db, model)
  if (!inserted) throw alreadyExists(owner, kind.kind, name)
  await register(resources, owner, kind.kind, name, tags)
  return store.addVersion(db, inserted, inputs, versionOf(source, createdAt))
}

/** Creates a new version. Its instances start anew. */
export async function updateModel<Definition>(
  { db, clock, jobs, owner: { tenant } }: WriteContext,
  kind: Kind<Definition>,
  name: string,
  source: NewVersion<Definition>,
): Promise<store.Model> {
  await raiseVersion(db, tenant)
  const model = await findModel(db, tenant, kind.kind, name)
  const inputs = await readInputs(db, tenant, kind, source.definition, model.keyAttribute ?? undefined)
  await jobs?.enqueue(sweep, {}, { key: 'retired' })
  return store.addVersion(db, model, inputs, versionOf(source, clock.now()))
}

export async function deleteModel(
  { db, clock, jobs, resources, owner }: WriteContext,
  kind: store.ModelKind,
  name: string,
): Promise<void> {
  await raiseVersion(db, owner.tenant)
  await store.remove(db, await findModel(db, owner.tenant, kind, name), clock.now())
  await unregister(resources, owner, kind, name)
  await jobs?.enqueue(sweep, {}, { key: 'retired' })
}

const versionOf = ({ description, roleArn, definition }: NewVersion<unknown>, createdAt: Date) => ({
  description: description ?? null,
  roleArn,
  definition,
  createdAt,
})

/** Validates a definition. Returns the inputs that it reads. */
async function readInputs<Definition>(
  db: ReadingDb,
  tenant: string,
  { check, inputsOf, at }: Kind<Definition>,
  definition: Definition,
  key: string | undefined,
): Promise<readonly string[]> {
  const existing = await definitions(db, tenant)
  const details = refusals(check(definition, existing), at)
  if (details.length > 0) invalid(details)
  const names = inputsOf(definition)
  if (key !== undefined && names.length > 0 && !names.some((name) => isAttribute(existing.get(name), key)))
    invalid(noKey(key))
  return names
}

const isAttribute = (definition: InputDefinition | undefined, key: string) =>
  definition?.attributes.some(({ jsonPath }) => jsonPath === key) ?? false

const noKey = (key: string): Detail[] => [
  { at: 'body/key', message: `'${key}' is not an attribute of any input that the model reads: add it to one` },
]

const alreadyExists = (owner: Owner, kind: store.ModelKind, name: string) =>
  new Failure('alreadyExists', `The ${kind} model '${name}' already exists: update it, or choose another name.`, {
    members: { resourceId: name, resourceArn: arnOfResource(owner, kind, name) },
  })
