import { randomUUID } from 'node:crypto'
import { type Caller, Failure, implement, invalid, notFound, ok, type ReadingDb } from '@icosa/kernel'
import * as plans from '../plans/store.ts'
import type { Owner } from '../shapes/arns.ts'
import { seconds } from '../shapes/time.ts'
import { type BackupSelection, selections as contract } from './contract.ts'
import { checkNames } from './match.ts'
import * as store from './store.ts'

const most = 100

export const selections = (region: string) =>
  implement(contract, {
    async CreateBackupSelection({ params, body }, { db, caller, clock }) {
      const { tenant } = caller
      const plan = await plans.lock(db, tenant, params.backupPlanId)
      if (!plan || plan.deletedAt !== null) notFound('backup plan', params.backupPlanId)
      checkSelection({ tenant, region }, body.BackupSelection)
      if ((await store.count(db, tenant, plan.planId)) >= most)
        throw new Failure('invalid', `A plan has at most ${most} selections.`, { code: 'LimitExceededException' })
      const creatorRequestId = body.CreatorRequestId ?? null
      const made = { tenant, planId: plan.planId, id: randomUUID(), document: body.BackupSelection, creatorRequestId }
      const row = (await store.insert(db, { ...made, createdAt: clock.now() })) ?? (await theSame(db, made))
      return ok(identified(row))
    },

    async GetBackupSelection({ params }, { db, caller }) {
      const row = await found(db, caller, params)
      const { document, creatorRequestId } = row
      return ok({
        ...identified(row),
        BackupSelection: document,
        ...(creatorRequestId !== null && { CreatorRequestId: creatorRequestId }),
      })
    },

    async DeleteBackupSelection({ params }, { db, caller }) {
      await store.remove(db, await found(db, caller, params))
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

async function found(
  db: ReadingDb,
  { tenant }: Caller,
  { backupPlanId, selectionId }: { readonly backupPlanId: string; readonly selectionId: string },
): Promise<store.SelectionRow> {
  return (await store.find(db, tenant, backupPlanId, selectionId)) ?? notFound('selection', selectionId)
}

/** A selection of nothing in particular would be one of everything, which nobody should say by accident. */
function checkSelection(owner: Owner, selection: BackupSelection): void {
  const { Resources = [], ListOfTags = [], Conditions = {}, NotResources = [] } = selection
  checkNames(owner, Resources, 'body/BackupSelection/Resources')
  checkNames(owner, NotResources, 'body/BackupSelection/NotResources')
  const said = [Resources, ListOfTags, NotResources, ...Object.values(Conditions)].some((list) => list.length > 0)
  if (!said)
    invalid([
      { at: 'body/BackupSelection', message: 'must have Resources, ListOfTags or Conditions; "*" is everything' },
    ])
}

async function theSame(db: ReadingDb, made: Omit<store.SelectionRow, 'createdAt'>): Promise<store.SelectionRow> {
  const { tenant, planId, document, creatorRequestId } = made
  const row = await store.named(db, tenant, planId, document.SelectionName)
  if (row && creatorRequestId !== null && row.creatorRequestId === creatorRequestId) return row
  throw new Failure('alreadyExists', `The plan already has a selection '${document.SelectionName}'.`)
}
