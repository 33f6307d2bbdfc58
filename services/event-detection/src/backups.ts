import { type Backup, Failure, type JobContext, notFound, type ReadingDb, type RestoreRequest } from '@icosa/kernel'
import { addRows, contentOf, jsonOf, type Line, linesIn, linesOf, placeIn, type RowsOf } from '@icosa/module/rows'
import * as backups from './backups-store.ts'
import * as models from './catalog/model-store.ts'
import { raiseVersion } from './catalog/store.ts'
import { deleteModel, type WriteContext } from './catalog/write-model.ts'
import * as inputs from './inputs/store.ts'
import { deleteInput } from './inputs/write.ts'
import { resources as kinds, type ResourceKind } from './names.ts'
import type { ServiceRuntime } from './runtime.ts'
import { arnOfResource, type Owner, register, resourceOf } from './shapes/owner.ts'

const validNames = { input: /^[a-zA-Z]\w{0,127}$/, detector: /^[\w-]{1,128}$/, alarm: /^[\w-]{1,128}$/ } as const

/** Inputs, and detector and alarm models with all versions. Inputs must be restored before the models that read them. */
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
      if (!validNames[kind].test(name)) throw new Failure('invalid', `Metadata/name: '${name}' is not a valid name.`)
      const lines = await linesIn(request.content)
      await context.transaction(async (db, jobs, resources) => {
        const writeContext = { db, jobs, resources, owner, clock: context.clock }
        await raiseVersion(db, owner.tenant)
        const existing = await rowsOf(db, owner, kind, name)
        // An identical one was restored by a worker that was killed before it completed the job.
        if (existing && !isSame(await linesOf(db, existing), lines))
          throw new Failure('alreadyExists', `'${name}' already exists: restore it under another name.`)
        if (!existing) await put(writeContext, kind, name, lines, request.tags)
      })
      return arnOfResource(owner, kind, name)
    },

    trial: (_, id) => ({ name: `restored_${id.replaceAll('-', '_')}` }),

    async remove(id, context) {
      const owner = ownerIn(context)
      const name = nameIn(owner, id)
      await context.transaction(async (db, jobs, resources) => {
        const writeContext = { db, jobs, resources, owner, clock: context.clock }
        await (kind === 'input' ? deleteInput(writeContext, name) : deleteModel(writeContext, kind, name))
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

const isSame = (a: readonly Line[], b: readonly Line[]) => JSON.stringify(a) === JSON.stringify(b)

async function put(
  { db, resources, owner }: WriteContext,
  kind: ResourceKind,
  name: string,
  lines: readonly Line[],
  tags: RestoreRequest['tags'],
): Promise<void> {
  const { tenant } = owner
  if (kind === 'input') await addRows(db, backups.inputTable, jsonOf(lines, backups.inputTable), { tenant, name, tags })
  else {
    const { id, generation } = await backups.newIds(db)
    const model = jsonOf(lines, backups.modelTable)
    await demandInputs(db, tenant, model)
    await addRows(db, backups.modelTable, model, { tenant, kind, name, id, generation, tags })
    await addRows(db, backups.versionTable, jsonOf(lines, backups.versionTable), { tenant, model_id: id })
  }
  await register(resources, owner, kind, name, tags)
}

async function demandInputs(db: ReadingDb, tenant: string, [model = '{}']: readonly string[]): Promise<void> {
  const { inputs: names = [] }: { readonly inputs?: readonly string[] } = JSON.parse(model)
  const existing = await inputs.definitions(db, tenant)
  const missing = names.filter((name) => !existing.has(name))
  if (missing.length > 0) throw new Failure('conflict', `It reads missing inputs: restore ${missing.join(', ')} first.`)
}
