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

/** Where a change of a model or an input is made. */
export interface Writing {
  readonly db: Db
  readonly clock: Clock
  /** Without it, instances of older versions are deleted within the hour. */
  readonly jobs?: JobsOf
  readonly resources: ResourcesOf
  readonly owner: Owner
}

export const writingFor = ({ db, clock, jobs, resources }: Context, owner: Owner): Writing => ({
  db,
  clock,
  jobs,
  resources,
  owner,
})

/** What differs between kinds of models: how a definition is checked, and which inputs it reads. */
export interface Kind<Definition> {
  readonly kind: store.ModelKind
  check(definition: Definition, inputs: ReadonlyMap<string, InputDefinition>): readonly Finding[]
  inputsOf(definition: Definition): readonly string[]
  /** Where in a request the definition stands, for its refusals. */
  readonly at: string
}

export interface WrittenVersion<Definition> {
  readonly description: string | undefined
  readonly roleArn: string
  readonly definition: Definition
}

export interface WrittenModel<Definition> extends WrittenVersion<Definition> {
  readonly name: string
  readonly key: string | undefined
  readonly tags: Parameters<typeof tagMap>[0]
}

export async function createModel<Definition>(
  { db, clock, resources, owner }: Writing,
  kind: Kind<Definition>,
  written: WrittenModel<Definition>,
): Promise<store.Model> {
  const { name, key } = written
  const { tenant } = owner
  await raiseVersion(db, tenant)
  const inputs = await readInputs(db, tenant, kind, written.definition, key)
  const tags = tagMap(written.tags)
  const createdAt = clock.now()
  const model = { tenant, kind: kind.kind, name, keyAttribute: key ?? null, inputs, tags, createdAt }
  const inserted = await store.insert(db, model)
  if (!inserted) throw taken(owner, kind.kind, name)
  await register(resources, owner, kind.kind, name, tags)
  return store.addVersion(db, inserted, inputs, versionOf(written, createdAt))
}

/** Makes a new version. Its instances begin anew. */
export async function updateModel<Definition>(
  { db, clock, jobs, owner: { tenant } }: Writing,
  kind: Kind<Definition>,
  name: string,
  written: WrittenVersion<Definition>,
): Promise<store.Model> {
  await raiseVersion(db, tenant)
  const model = await findModel(db, tenant, kind.kind, name)
  const inputs = await readInputs(db, tenant, kind, written.definition, model.keyAttribute ?? undefined)
  await jobs?.enqueue(sweep, {}, { key: 'retired' })
  return store.addVersion(db, model, inputs, versionOf(written, clock.now()))
}

export async function deleteModel(
  { db, clock, jobs, resources, owner }: Writing,
  kind: store.ModelKind,
  name: string,
): Promise<void> {
  await raiseVersion(db, owner.tenant)
  await store.remove(db, await findModel(db, owner.tenant, kind, name), clock.now())
  await unregister(resources, owner, kind, name)
  await jobs?.enqueue(sweep, {}, { key: 'retired' })
}

const versionOf = ({ description, roleArn, definition }: WrittenVersion<unknown>, createdAt: Date) => ({
  description: description ?? null,
  roleArn,
  definition,
  createdAt,
})

/** The inputs that a definition reads; refuses one that cannot work. */
async function readInputs<Definition>(
  db: ReadingDb,
  tenant: string,
  { check, inputsOf, at }: Kind<Definition>,
  definition: Definition,
  key: string | undefined,
): Promise<readonly string[]> {
  const known = await definitions(db, tenant)
  const wrong = refusals(check(definition, known), at)
  if (wrong.length > 0) invalid(wrong)
  const read = inputsOf(definition)
  if (key !== undefined && read.length > 0 && !read.some((name) => isAttribute(known.get(name), key)))
    invalid(noKey(key))
  return read
}

const isAttribute = (definition: InputDefinition | undefined, key: string) =>
  definition?.attributes.some(({ jsonPath }) => jsonPath === key) ?? false

const noKey = (key: string): Detail[] => [
  { at: 'body/key', message: `'${key}' is not an attribute of any input that the model reads: add it to one` },
]

const taken = (owner: Owner, kind: store.ModelKind, name: string) =>
  new Failure('alreadyExists', `There is a ${kind} model '${name}' already: update it, or choose another name.`, {
    members: { resourceId: name, resourceArn: arnOfResource(owner, kind, name) },
  })
