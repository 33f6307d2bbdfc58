import { type Db, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import { type Page, readWindow, type Window } from '../paging/store.ts'
import type { Viewer } from '../search/question.ts'
import type { Field } from './fields.ts'

export interface FormRow {
  readonly id: string
  readonly owner: string
  readonly name: string | null
  readonly heading: string | null
  readonly callToAction: string | null
  readonly cssUrl: string | null
  readonly noCss: boolean | null
  readonly fields: readonly Field[]
  readonly tags: readonly string[]
}

const columns: Sql = sql`
  f.id::text as id, f.owner, f.name, f.heading, f.call_to_action as "callToAction", f.css_url as "cssUrl",
  f.no_css as "noCss", f.fields, f.tags::text[] as tags`

export function insert(db: Db, tenant: string, form: Omit<FormRow, 'id'>): Promise<FormRow> {
  return db.one(sql`
    insert into contribution_collection.forms as f (tenant, owner, name, heading, call_to_action, css_url, no_css, fields,
      tags)
    values (${tenant}, ${form.owner}, ${form.name}, ${form.heading}, ${form.callToAction}, ${form.cssUrl}, ${form.noCss},
      ${JSON.stringify(form.fields)}, ${form.tags}::bigint[])
    returning ${columns}`)
}

export function find(db: ReadingDb, tenant: string, id: string): Promise<FormRow | undefined> {
  return db.maybe(sql`
    select ${columns} from contribution_collection.forms as f where f.tenant = ${tenant} and f.id = ${id}`)
}

export function listOf(db: ReadingDb, tenant: string, owner: string, window: Window): Promise<Page<FormRow>> {
  const from = sql`contribution_collection.forms as f where f.tenant = ${tenant} and f.owner = ${owner}`
  return readWindow(db, { columns, from, order: sql`f.id` }, window)
}

export async function remove(db: Db, tenant: string, id: string): Promise<void> {
  await db.run(sql`delete from contribution_collection.forms where tenant = ${tenant} and id = ${id}`)
}

export interface ResponseRow {
  readonly id: string
  readonly form: string
  readonly contribution: string | null
  readonly user: string
  readonly at: Date
  readonly responses: Readonly<Record<string, string>>
}

const responseColumns: Sql = sql`
  r.id::text as id, r.form::text as form, r.contribution::text as contribution, r.user_id as user, r.responded_at as at,
  r.responses`

export function insertResponse(
  db: Db,
  tenant: string,
  response: Omit<ResponseRow, 'id' | 'at'>,
  at: Date,
): Promise<ResponseRow> {
  return db.one(sql`
    insert into contribution_collection.form_responses as r (tenant, form, contribution, user_id, responses, responded_at)
    values (${tenant}, ${response.form}, ${response.contribution}, ${response.user},
      ${JSON.stringify(response.responses)}, ${at})
    returning ${responseColumns}`)
}

/** The viewer's own responses, and those to the viewer's forms. */
const visibleTo = ({ user, isTenant }: Viewer): Sql =>
  isTenant
    ? sql`true`
    : sql`(r.user_id = ${user} or r.form = any(array(
        select f.id from contribution_collection.forms as f where f.tenant = r.tenant and f.owner = ${user})))`

export interface ResponseFilter {
  readonly user?: string | undefined
  readonly form?: string | undefined
  readonly contribution?: string | undefined
}

const idOf = (text: string) => (/^[1-9]\d{0,17}$/.test(text) ? text : '0')

export function listResponses(
  db: ReadingDb,
  tenant: string,
  viewer: Viewer,
  { user, form, contribution }: ResponseFilter,
  window: Window,
): Promise<Page<ResponseRow>> {
  let where = sql`r.tenant = ${tenant} and ${visibleTo(viewer)}`
  if (user !== undefined) where = sql`${where} and r.user_id = ${user}`
  if (form !== undefined) where = sql`${where} and r.form = ${idOf(form)}`
  if (contribution !== undefined) where = sql`${where} and r.contribution = ${idOf(contribution)}`
  const from = sql`contribution_collection.form_responses as r where ${where}`
  return readWindow(db, { columns: responseColumns, from, order: sql`r.id desc` }, window)
}

export function findResponse(
  db: ReadingDb,
  tenant: string,
  viewer: Viewer,
  id: string,
): Promise<ResponseRow | undefined> {
  return db.maybe(sql`
    select ${responseColumns} from contribution_collection.form_responses as r
    where r.tenant = ${tenant} and r.id = ${id} and ${visibleTo(viewer)}`)
}
