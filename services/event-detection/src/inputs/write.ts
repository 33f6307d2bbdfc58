import { Failure, invalid, notFound } from '@icosa/kernel'
import { listReaders } from '../catalog/model-store.ts'
import { raiseVersion } from '../catalog/store.ts'
import type { WriteContext } from '../catalog/write-model.ts'
import { arnOfResource, type Owner, register, tagMap, unregister } from '../shapes/owner.ts'
import type { CreateInputRequest } from './contract.ts'
import * as store from './store.ts'

export async function createInput(
  { db, clock, resources, owner }: WriteContext,
  body: CreateInputRequest,
): Promise<store.Input> {
  const { inputName: name, inputDescription: description = null, inputDefinition: definition } = body
  checkAttributes(definition)
  const tags = tagMap(body.tags)
  await raiseVersion(db, owner.tenant)
  const input = await store.insert(db, owner.tenant, { name, description, definition, tags, createdAt: clock.now() })
  if (!input) throw alreadyExists(owner, name)
  await register(resources, owner, 'input', name, tags)
  return input
}

function checkAttributes({ attributes }: CreateInputRequest['inputDefinition']): void {
  const paths = new Set(attributes.map(({ jsonPath }) => jsonPath))
  if (paths.size < attributes.length)
    invalid([{ at: 'body/inputDefinition/attributes', message: 'has a duplicate jsonPath' }])
}

const alreadyExists = (owner: Owner, name: string) =>
  new Failure('alreadyExists', `The input '${name}' already exists: update it, or choose another name.`, {
    members: { resourceId: name, resourceArn: arnOfResource(owner, 'input', name) },
  })

export type InputChange = Pick<CreateInputRequest, 'inputDescription' | 'inputDefinition'>

export async function updateInput(
  { db, clock, owner: { tenant } }: WriteContext,
  name: string,
  change: InputChange,
): Promise<store.Input> {
  const { inputDescription: description = null, inputDefinition: definition } = change
  checkAttributes(definition)
  await raiseVersion(db, tenant)
  const input = await store.update(db, tenant, { name, description, definition, updatedAt: clock.now() })
  return input ?? notFound('input', name)
}

export async function deleteInput({ db, resources, owner }: WriteContext, name: string): Promise<void> {
  await raiseVersion(db, owner.tenant)
  if (!(await store.find(db, owner.tenant, name))) notFound('input', name)
  const { items } = await listReaders(db, owner.tenant, name, { maxResults: 1 })
  const [reader] = items
  if (reader)
    throw new Failure(
      'conflict',
      `The ${reader.kind} model '${reader.name}' reads the input '${name}': delete it first.`,
    )
  await store.remove(db, owner.tenant, name)
  await unregister(resources, owner, 'input', name)
}
