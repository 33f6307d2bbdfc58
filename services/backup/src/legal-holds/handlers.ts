import { randomUUID } from 'node:crypto'
import { once } from '@icosa/dialects/signed/idempotency'
import { Failure, implement, invalid, notFound, ok, type ReadingDb, type Resource } from '@icosa/kernel'
import { invalidRequest } from '../exceptions.ts'
import * as points from '../recovery-points/store.ts'
import { pointArn } from '../recovery-points/view.ts'
import { arnsOf, checkOwnName } from '../resources/named.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { ownArn } from '../shapes/arns.ts'
import { checkedTags } from '../shapes/tags.ts'
import { after, seconds, timed } from '../shapes/time.ts'
import { legalHolds as contract, type RecoveryPointSelection } from './contract.ts'
import * as store from './store.ts'

/** How long the record of a cancelled hold is kept by default. */
const defaultRecordDays = 0

export function legalHolds(region: string): Resource<ServiceRuntime> {
  const toHold = (row: store.HoldRow) => ({
    Title: row.title,
    Status: row.status,
    Description: row.description,
    LegalHoldId: row.id,
    LegalHoldArn: ownArn({ tenant: row.tenant, region }, 'legal-hold', row.id),
    CreationDate: seconds(row.createdAt),
    ...timed('CancellationDate', row.cancelledAt),
  })

  return implement<typeof contract, ServiceRuntime>(contract, {
    async CreateLegalHold({ body }, context) {
      const { db, caller, clock, runtime } = context
      const { tenant } = caller
      const { IdempotencyToken: token, ...content } = body
      const selection = body.RecoveryPointSelection ?? {}
      checkDates(selection)
      const { ResourceIdentifiers: names = [] } = selection
      const at = 'body/RecoveryPointSelection/ResourceIdentifiers'
      for (const [index, name] of names.entries()) checkOwnName({ tenant, region }, name, `${at}/${index}`)
      const resources = names.flatMap((name) => arnsOf({ tenant, region }, runtime, name))
      const tags = checkedTags(body.Tags, 'body/Tags')
      const holdId = await once(context, { operation: 'backup:CreateLegalHold', token, content }, async () => {
        const id = randomUUID()
        const { Title: title, Description: description } = body
        const row = { tenant, id, title, description, selection, tags, createdAt: clock.now() }
        await store.insert(db, row, resources)
        return id
      })
      const row = await getHold(db, tenant, holdId)
      return ok({ ...toHold(row), RecoveryPointSelection: row.selection })
    },

    async CancelLegalHold({ params, query }, { db, caller, clock }) {
      const { tenant } = caller
      const row = await getHold(db, tenant, params.legalHoldId)
      const at = clock.now()
      const { cancelDescription: description, retainRecordInDays = defaultRecordDays } = query
      const retainUntil = after(at, retainRecordInDays)
      if (!(await store.cancel(db, tenant, row.id, { description, at, retainUntil })))
        throw new Failure('invalid', 'The legal hold is already cancelled.', { code: 'InvalidResourceStateException' })
      return ok({})
    },

    async GetLegalHold({ params }, { db, caller }) {
      const row = await getHold(db, caller.tenant, params.legalHoldId)
      const { cancelDescription, retainUntil, selection } = row
      return ok({
        ...toHold(row),
        ...(cancelDescription !== null && { CancelDescription: cancelDescription }),
        ...timed('RetainRecordUntil', retainUntil),
        RecoveryPointSelection: selection,
      })
    },

    async ListLegalHolds({ query }, { db, caller }) {
      const { maxResults: limit, nextToken: token } = query
      const { items, next } = await store.list(db, caller.tenant, { limit, token })
      return ok({ LegalHolds: items.map(toHold) }, { next })
    },

    async ListRecoveryPointsByLegalHold({ params, query }, { db, caller }) {
      const id = params.legalHoldId
      // The original declares no ResourceNotFoundException here.
      if (!(await store.find(db, caller.tenant, id)))
        throw new Failure('invalid', `The legal hold '${id}' was not found.`)
      const { maxResults: limit, nextToken: token } = query
      const { items, next } = await points.list(db, caller.tenant, {}, { limit, token }, store.heldBy(id))
      const RecoveryPoints = items.map((row) => ({
        RecoveryPointArn: pointArn(region, row),
        ResourceArn: row.resourceArn,
        ResourceType: row.resourceType,
        BackupVaultName: row.vault,
      }))
      return ok({ RecoveryPoints }, { next })
    },
  })
}

async function getHold(db: ReadingDb, tenant: string, id: string): Promise<store.HoldRow> {
  return (await store.find(db, tenant, id)) ?? notFound('legal hold', id)
}

const maxSeconds = 8.64e10

function checkDates({ DateRange }: RecoveryPointSelection): void {
  const at = 'body/RecoveryPointSelection/DateRange'
  if (!DateRange) return
  const { FromDate, ToDate } = DateRange
  if ([FromDate, ToDate].some((time) => Math.abs(time) > maxSeconds))
    invalid([{ at, message: 'must have valid times, in seconds since 1970' }])
  if (FromDate > ToDate) invalid([{ at: `${at}/FromDate`, message: 'must not be after ToDate' }])
}

/** Refuses to delete a recovery point under a legal hold. */
export async function refuseIfHeld(
  db: ReadingDb,
  { tenant, id }: Pick<points.PointRow, 'tenant' | 'id'>,
): Promise<void> {
  const title = await store.holdTitle(db, tenant, id)
  if (title !== undefined)
    throw new Failure('invalid', `The legal hold '${title}' keeps the recovery point: cancel it first.`, {
      code: invalidRequest,
    })
}
