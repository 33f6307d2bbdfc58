import { type Context, type Handler, invalid, notFound, type ReadingDb, type Resource } from '@icosa/kernel'
import { existingAccount } from '../accounts/existing.ts'
import { labelOfUser } from '../accounts/view.ts'
import { findAttachment } from '../attachments/store.ts'
import { created, emptyReply, itemReply, listed, type PageQuery } from '../dialect/reply.ts'
import { documentStore, type Place, type Stored } from '../documents/store.ts'
import { findPayment } from '../payments/store.ts'
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

/** Whether the parent of a note exists in this account. */
async function parentExists(
  db: ReadingDb,
  tenant: string,
  params: NoteInput['params'],
  { kind, param }: Parent,
): Promise<boolean> {
  const id = params[param] as string
  const account = params['monetary-accountID']
  if (kind === 'Payment') return (await findPayment(db, tenant, account, id)) !== undefined
  const row = await documentStore(kind).findAny(db, tenant, id)
  return row?.account === account && (params.scheduleID === undefined || row.parent === params.scheduleID)
}

function handlersOn(
  note: NoteKind,
  parent: Parent,
): Record<string, (input: NoteInput, context: Context) => Promise<unknown>> {
  const noteStore = documentStore<NoteBody>(`${note}${parent.kind}`)

  async function notePlace(db: ReadingDb, tenant: string, params: NoteInput['params']): Promise<Place> {
    const id = params[parent.param] as string
    if (!(await parentExists(db, tenant, params, parent))) notFound(parent.kind, id)
    return { ...placeOf(params), parent: id }
  }
  async function noteOf({ params }: NoteInput, { db, caller }: Context): Promise<Stored<NoteBody>> {
    const place = await notePlace(db, caller.tenant, params)
    return (await noteStore.find(db, caller.tenant, place, params.itemId)) ?? notFound('note', params.itemId)
  }
  async function checkFile({ params, body }: NoteInput, { db, caller }: Context): Promise<void> {
    const id = body.attachment_id
    if (id !== undefined && !(await findAttachment(db, caller.tenant, params.userID, String(id))))
      invalid([{ at: 'body/attachment_id', message: `there is no attachment ${id}` }])
  }
  async function creatorOf(db: ReadingDb, tenant: string, params: AccountParams) {
    return labelOfUser(await existingAccount(db, tenant, params['monetary-accountID']))
  }
  const toNote = (
    { id, body, createdAt, updatedAt }: Stored<NoteBody>,
    creator: Awaited<ReturnType<typeof creatorOf>>,
  ) => ({
    id: Number(id),
    created: momentOf(createdAt),
    updated: momentOf(updatedAt),
    label_user_creator: creator,
    ...(note === 'NoteText'
      ? { content: body.content }
      : { description: body.description ?? null, attachment: [{ id: body.attachment_id }] }),
  })

  return {
    async [noteOperation('create', note, parent)](input, context) {
      const { db, caller, clock } = context
      const place = await notePlace(db, caller.tenant, input.params)
      await checkFile(input, context)
      return created(
        await noteStore.insert(db, caller.tenant, place, { status: 'ACTIVE', body: input.body, at: clock.now() }),
      )
    },
    async [noteOperation('list', note, parent)]({ params, query }, { db, caller }) {
      const rows = await noteStore.list(db, caller.tenant, await notePlace(db, caller.tenant, params), query)
      const creator = await creatorOf(db, caller.tenant, params)
      return listed(
        note,
        query,
        rows,
        (row) => toNote(row, creator),
        ({ id }) => Number(id),
      )
    },
    async [noteOperation('get', note, parent)](input, context) {
      const row = await noteOf(input, context)
      return itemReply(note, toNote(row, await creatorOf(context.db, context.caller.tenant, input.params)))
    },
    async [noteOperation('update', note, parent)](input, context) {
      const { id } = await noteOf(input, context)
      await checkFile(input, context)
      await noteStore.update(context.db, context.caller.tenant, id, { body: input.body, at: context.clock.now() })
      return created(id)
    },
    async [noteOperation('delete', note, parent)](input, context) {
      const { db, caller } = context
      await noteStore.remove(
        db,
        caller.tenant,
        await notePlace(db, caller.tenant, input.params),
        (await noteOf(input, context)).id,
      )
      return emptyReply()
    },
  }
}

/** Five operations for text notes and five for file notes, on each kind of parent. */
export const notes: Resource = {
  contract,
  handlers: Object.assign(
    {},
    ...parents.flatMap((parent) => noteKinds.map((note) => handlersOn(note, parent))),
  ) as Record<string, Handler>,
}
