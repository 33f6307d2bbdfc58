import { type Backup, Failure, type JobContext, notFound, type ReadingDb, type RestoreRequest } from '@icosa/kernel'
import { addRows, contentOf, jsonOf, type Line, linesIn, linesOf, placeIn, type RowsOf } from '@icosa/module/rows'
import * as backups from './backups-store.ts'
import * as models from './catalog/model-store.ts'
import { raiseVersion } from './catalog/store.ts'
import { deleteModel, type Writing } from './catalog/write-model.ts'
import * as inputs from './inputs/store.ts'
import { deleteInput } from './inputs/write.ts'
import { resources as kinds, type ResourceKind } from './names.ts'
import type { ServiceRuntime } from './runtime.ts'
import { arnOfResource, type Owner, register, resourceOf } from './shapes/owner.ts'

const validNames = { input: /^[a-zA-Z]\w{0,127}$/, detector: /^[\w-]{1,128}$/, alarm: /^[\w-]{1,128}$/ } as const

/** Inputs, and detector and alarm models with all of their versions. A model needs its inputs: restore them first. */
export const eventBackups = (region: string): Backup<ServiceRuntime>[] =>
  (Object.keys(kinds) as ResourceKind[]).map((kind) => backupOf(kind, region))

function backupOf(kind: ResourceKind, region: string): Backup<ServiceRuntime> {
  const ownerIn = ({ tenant }: Pick<JobContext, 'tenant'>): Owner => ({ tenant, region })
  const nameIn = (owner: Owner, id: string) => resourceOf(owner, id)?.name ?? notFound(kind, id)

  return {
    type: kinds[kind].type,

    async read(id, context) {
      const owner = ownerIn(context)
      const name = nameIn(owner, id)
      const rows = (await rowsOf(context.db, owner, kind, name)) ?? notFound(kind, name)
      return { content: contentOf(await linesOf(context.db, rows)), metadata: { name } }
    },

    async restore(request, context) {
      const owner = ownerIn(context)
      const { name } = placeIn(request.metadata, ['name'])
      if (!validNames[kind].test(name)) throw new Failure('invalid', `Metadata/name: '${name}' is no name of one.`)
      const lines = await linesIn(request.content)
      await context.transaction(async (db, jobs, resources) => {
        const writing = { db, jobs, resources, owner, clock: context.clock }
        await raiseVersion(db, owner.tenant)
        const there = await rowsOf(db, owner, kind, name)
        // What is the same was put there by a worker that was killed before it could say so.
        if (there && !isSame(await linesOf(db, there), lines))
          throw new Failure('alreadyExists', `There is one named '${name}' already: restore it under another name.`)
        if (!there) await put(writing, kind, name, lines, request.tags)
      })
      return arnOfResource(owner, kind, name)
    },

    trial: (_, id) => ({ name: `restored_${id.replaceAll('-', '_')}` }),

    async remove(id, context) {
      const owner = ownerIn(context)
      const name = nameIn(owner, id)
      await context.transaction(async (db, jobs, resources) => {
        const writing = { db, jobs, resources, owner, clock: context.clock }
        await (kind === 'input' ? deleteInput(writing, name) : deleteModel(writing, kind, name))
      })
    },
  }
}

async function rowsOf(
  db: ReadingDb,
  { tenant }: Owner,
  kind: ResourceKind,
  name: string,
): Promise<RowsOf[] | undefined> {
  if (kind === 'input') return (await inputs.find(db, tenant, name)) && backups.rowsOfInput(tenant, name)
  const model = await models.find(db, tenant, kind, name)
  return model && backups.rowsOfModel(model)
}

const isSame = (one: readonly Line[], other: readonly Line[]) => JSON.stringify(one) === JSON.stringify(other)

async function put(
  { db, resources, owner }: Writing,
  kind: ResourceKind,
  name: string,
  lines: readonly Line[],
  tags: RestoreRequest['tags'],
): Promise<void> {
  const { tenant } = owner
  if (kind === 'input') await addRows(db, backups.inputTable, jsonOf(lines, backups.inputTable), { tenant, name, tags })
  else {
    const { id, generation } = await backups.newNumbers(db)
    const model = jsonOf(lines, backups.modelTable)
    await demandInputs(db, tenant, model)
    await addRows(db, backups.modelTable, model, { tenant, kind, name, id, generation, tags })
    await addRows(db, backups.versionTable, jsonOf(lines, backups.versionTable), { tenant, model_id: id })
  }
  await register(resources, owner, kind, name, tags)
}

async function demandInputs(db: ReadingDb, tenant: string, [model = '{}']: readonly string[]): Promise<void> {
  const { inputs: read = [] }: { readonly inputs?: readonly string[] } = JSON.parse(model)
  const known = await inputs.definitions(db, tenant)
  const missing = read.filter((name) => !known.has(name))
  if (missing.length > 0)
    throw new Failure('conflict', `It reads the inputs ${missing.join(', ')}, which are not there: restore them first.`)
}
