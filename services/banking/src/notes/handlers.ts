import { type Context, type Handler, invalid, notFound, type ReadingDb, type Resource } from '@icosa/kernel'
import { accountNamed } from '../accounts/named.ts'
import { labelOfUser } from '../accounts/view.ts'
import { findAttachment } from '../attachments/store.ts'
import { created, found, listed, nothing, type PageQuery } from '../dialect/reply.ts'
import { findPayment } from '../payments/store.ts'
import { type Record as Kept, type Place, records } from '../records/store.ts'
import { momentOf } from '../shapes/moments.ts'
import { type AccountParams, placeOf } from '../shapes/places.ts'
import { notes as contract, type NoteKind, noteKinds, noteOperation, type Parent, parents } from './contract.ts'

interface NoteBody {
  readonly content?: string
  readonly attachment_id?: number
  readonly description?: string
}

interface NoteInput {
  readonly params: AccountParams & Readonly<Record<string, string>> & { readonly itemId: string }
  readonly query: PageQuery
  readonly body: NoteBody
}

/** Whether what a note is beside is there, in this account. */
async function isThere(
  db: ReadingDb,
  tenant: string,
  params: NoteInput['params'],
  { kind, param }: Parent,
): Promise<boolean> {
  const id = params[param] as string
  const account = params['monetary-accountID']
  if (kind === 'Payment') return (await findPayment(db, tenant, account, id)) !== undefined
  const kept = await records(kind).findAny(db, tenant, id)
  return kept?.account === account && (params.scheduleID === undefined || kept.parent === params.scheduleID)
}

function handlersOn(
  note: NoteKind,
  parent: Parent,
): Record<string, (input: NoteInput, context: Context) => Promise<unknown>> {
  const kept = records<NoteBody>(`${note}${parent.kind}`)

  async function placed(db: ReadingDb, tenant: string, params: NoteInput['params']): Promise<Place> {
    const id = params[parent.param] as string
    if (!(await isThere(db, tenant, params, parent))) notFound(parent.kind, id)
    return { ...placeOf(params), parent: id }
  }
  async function noteOf({ params }: NoteInput, { db, caller }: Context): Promise<Kept<NoteBody>> {
    const place = await placed(db, caller.tenant, params)
    return (await kept.find(db, caller.tenant, place, params.itemId)) ?? notFound('note', params.itemId)
  }
  async function checkFile({ params, body }: NoteInput, { db, caller }: Context): Promise<void> {
    const id = body.attachment_id
    if (id !== undefined && !(await findAttachment(db, caller.tenant, params.userID, String(id))))
      invalid([{ at: 'body/attachment_id', message: `there is no attachment ${id}` }])
  }
  async function creatorOf(db: ReadingDb, tenant: string, params: AccountParams) {
    return labelOfUser(await accountNamed(db, tenant, params['monetary-accountID']))
  }
  const show = (one: Kept<NoteBody>, creator: Awaited<ReturnType<typeof creatorOf>>) => ({
    id: Number(one.id),
    created: momentOf(one.createdAt),
    updated: momentOf(one.updatedAt),
    label_user_creator: creator,
    ...(note === 'NoteText'
      ? { content: one.body.content }
      : { description: one.body.description ?? null, attachment: [{ id: one.body.attachment_id }] }),
  })

  return {
    async [noteOperation('create', note, parent)](input, context) {
      const { db, caller, clock } = context
      const place = await placed(db, caller.tenant, input.params)
      await checkFile(input, context)
      return created(
        await kept.insert(db, caller.tenant, place, { status: 'ACTIVE', body: input.body, at: clock.now() }),
      )
    },
    async [noteOperation('list', note, parent)]({ params, query }, { db, caller }) {
      const rows = await kept.list(db, caller.tenant, await placed(db, caller.tenant, params), query)
      const creator = await creatorOf(db, caller.tenant, params)
      return listed(
        note,
        query,
        rows,
        (row) => show(row, creator),
        ({ id }) => Number(id),
      )
    },
    async [noteOperation('get', note, parent)](input, context) {
      const one = await noteOf(input, context)
      return found(note, show(one, await creatorOf(context.db, context.caller.tenant, input.params)))
    },
    async [noteOperation('update', note, parent)](input, context) {
      const { id } = await noteOf(input, context)
      await checkFile(input, context)
      await kept.update(context.db, context.caller.tenant, id, { body: input.body, at: context.clock.now() })
      return created(id)
    },
    async [noteOperation('delete', note, parent)](input, context) {
      const { db, caller } = context
      await kept.remove(
        db,
        caller.tenant,
        await placed(db, caller.tenant, input.params),
        (await noteOf(input, context)).id,
      )
      return nothing()
    },
  }
}

/** Five operations for texts and five for files, beside each of ten kinds of things. */
export const notes: Resource = {
  contract,
  handlers: Object.assign(
    {},
    ...parents.flatMap((parent) => noteKinds.map((note) => handlersOn(note, parent))),
  ) as Record<string, Handler>,
}
