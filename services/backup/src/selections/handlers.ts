import { randomUUID } from 'node:crypto'
import { type Caller, Failure, implement, invalid, notFound, ok, type ReadingDb } from '@icosa/kernel'
import * as plans from '../plans/store.ts'
import type { Owner } from '../shapes/arns.ts'
import { seconds } from '../shapes/time.ts'
import { type BackupSelection, selections as contract } from './contract.ts'
import { checkNames } from './match.ts'
import * as store from './store.ts'

const maxSelections = 100

export const selections = (region: string) =>
  implement(contract, {
    async CreateBackupSelection({ params, body }, { db, caller, clock }) {
      const { tenant } = caller
      const plan = await plans.lock(db, tenant, params.backupPlanId)
      // The original declares no ResourceNotFoundException here.
      if (!plan || plan.deletedAt !== null)
        throw new Failure('invalid', `The backup plan '${params.backupPlanId}' was not found.`)
      checkSelection({ tenant, region }, body.BackupSelection)
      if ((await store.count(db, tenant, plan.planId)) >= maxSelections)
        throw new Failure('invalid', `A plan has at most ${maxSelections} selections.`, {
          code: 'LimitExceededException',
        })
      const creatorRequestId = body.CreatorRequestId ?? null
      const input = { tenant, planId: plan.planId, id: randomUUID(), document: body.BackupSelection, creatorRequestId }
      const row = (await store.insert(db, { ...input, createdAt: clock.now() })) ?? (await findRetried(db, input))
      return ok(identified(row))
    },

    async GetBackupSelection({ params }, { db, caller }) {
      const row = await getSelection(db, caller, params)
      const { document, creatorRequestId } = row
      return ok({
        ...identified(row),
        BackupSelection: document,
        ...(creatorRequestId !== null && { CreatorRequestId: creatorRequestId }),
      })
    },

    async DeleteBackupSelection({ params }, { db, caller }) {
      await store.remove(db, await getSelection(db, caller, params))
      return ok({})
    },

    async ListBackupSelections({ params, query }, { db, caller }) {
      if (!(await plans.find(db, caller.tenant, params.backupPlanId))) notFound('backup plan', params.backupPlanId)
      const { maxResults: limit, nextToken: token } = query
      const { items, next } = await store.list(db, caller.tenant, params.backupPlanId, { limit, token })
      const BackupSelectionsList = items.map((row) => ({
        ...identified(row),
        SelectionName: row.document.SelectionName,
        IamRoleArn: row.document.IamRoleArn,
        ...(row.creatorRequestId !== null && { CreatorRequestId: row.creatorRequestId }),
      }))
      return ok({ BackupSelectionsList }, { next })
    },
  })

const identified = ({ id, planId, createdAt }: store.SelectionRow) => ({
  SelectionId: id,
  BackupPlanId: planId,
  CreationDate: seconds(createdAt),
})

async function getSelection(
  db: ReadingDb,
  { tenant }: Caller,
  { backupPlanId, selectionId }: { readonly backupPlanId: string; readonly selectionId: string },
): Promise<store.SelectionRow> {
  return (await store.find(db, tenant, backupPlanId, selectionId)) ?? notFound('selection', selectionId)
}

/** Rejects an empty selection: it would select everything by accident. */
function checkSelection(owner: Owner, selection: BackupSelection): void {
  const { Resources = [], ListOfTags = [], Conditions = {}, NotResources = [] } = selection
  checkNames(owner, Resources, 'body/BackupSelection/Resources')
  checkNames(owner, NotResources, 'body/BackupSelection/NotResources')
  const isSpecific = [Resources, ListOfTags, NotResources, ...Object.values(Conditions)].some((list) => list.length > 0)
  if (!isSpecific)
    invalid([
      { at: 'body/BackupSelection', message: 'must have Resources, ListOfTags or Conditions; "*" is everything' },
    ])
}

async function findRetried(db: ReadingDb, input: Omit<store.SelectionRow, 'createdAt'>): Promise<store.SelectionRow> {
  const { tenant, planId, document, creatorRequestId } = input
  const row = await store.findByName(db, tenant, planId, document.SelectionName)
  if (row && creatorRequestId !== null && row.creatorRequestId === creatorRequestId) return row
  throw new Failure('alreadyExists', `The plan already has a selection '${document.SelectionName}'.`)
}
