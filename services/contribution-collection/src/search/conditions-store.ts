import { join, type Sql, sql } from '@icosa/kernel'
import type { Geography } from '../geo/geography.ts'
import { after } from '../geo/geohash.ts'
import { wordKey } from '../text/words.ts'
import type { Question, Viewer } from './question.ts'

export interface SearchContext {
  readonly tenant: string
  readonly viewer: Viewer
  readonly now: Date
  readonly geography: Geography
}

const isNumber = (text: string) => /^[1-9]\d{0,17}$/.test(text)
/** An invalid id matches nothing. */
const idOf = (text: string) => (isNumber(text) ? text : '0')

/** Filter and visibility, as a condition on `contributions as c`. */
export function conditionOf(question: Question, searchContext: SearchContext): Sql {
  return join(
    [
      sql`c.tenant = ${searchContext.tenant}`,
      ...stateConditions(question, searchContext),
      ...columnConditions(question),
      ...placeConditions(question, searchContext),
      ...wordConditions(question, searchContext),
    ],
    ' and ',
  )
}

/** Assignments that hide their contributions, as an array that a statement evaluates once. */
const hiddenAssignments = (tenant: string, now: Date) => sql`array(
  select a.id from contribution_collection.assignments as a
    where a.tenant = ${tenant} and a.embargo > ${now}
  union all select a.id from contribution_collection.assignments as a
    where a.tenant = ${tenant} and a.deleted_at is not null)`
const deletedAssignments = (tenant: string) => sql`array(
  select a.id from contribution_collection.assignments as a where a.tenant = ${tenant} and a.deleted_at is not null)`

/** Contributions in any state that are public, the viewer's own, or in the viewer's jurisdiction. */
export function visibleTo({ tenant, viewer: { user, isTenant }, now }: SearchContext): Sql {
  const isNotDeleted = sql`c.deleted_at is null and c.assignment <> all(${deletedAssignments(tenant)})`
  if (isTenant) return isNotDeleted
  return sql`${isNotDeleted} and (c.author = ${user} or c.owner = ${user}
    or c.assignment = any(array(select a.id from contribution_collection.assignments as a
      where a.tenant = ${tenant} and a.moderator = ${user}))
    or (c.is_public and c.assignment <> all(${hiddenAssignments(tenant, now)})))`
}

function stateConditions({ states }: Question, searchContext: SearchContext): Sql[] {
  if (states === 'public')
    return [sql`c.is_public`, sql`c.assignment <> all(${hiddenAssignments(searchContext.tenant, searchContext.now)})`]
  return [sql`c.state = any(${[...states]})`, visibleTo(searchContext)]
}

function columnConditions({
  assignment,
  country,
  created,
  hasLocation,
  mediaType,
  owner,
  author,
  ids,
  urlWords,
}: Question): Sql[] {
  const parts: Sql[] = []
  if (assignment !== undefined) parts.push(sql`c.assignment = ${idOf(assignment)}`)
  if (country !== undefined) parts.push(sql`c.country = ${country}`)
  if (owner !== undefined) parts.push(sql`c.owner = ${owner}`)
  if (author !== undefined) parts.push(sql`c.author = ${author}`)
  if (mediaType !== undefined) parts.push(sql`${mediaType} = any(c.media_types)`)
  if (hasLocation !== undefined) parts.push(hasLocation ? sql`c.cell is not null` : sql`c.cell is null`)
  if (ids !== undefined) parts.push(sql`c.id = any(${ids.filter(isNumber)}::bigint[])`)
  // URL words end in the id, which has an index.
  if (urlWords !== undefined)
    parts.push(sql`c.id = ${idOf(/-(\d+)$/.exec(urlWords)?.[1] ?? '')}`, sql`c.url_words = ${urlWords}`)
  for (const { from, after, before } of created) {
    if (from) parts.push(sql`c.created_at >= ${from}`)
    if (after) parts.push(sql`c.created_at > ${after}`)
    if (before) parts.push(sql`c.created_at < ${before}`)
  }
  return parts
}

function placeConditions({ cells, near }: Question, { geography }: SearchContext): Sql[] {
  const parts: Sql[] = []
  if (cells) {
    const within = cells.map(
      (cell) => sql`(c.cell >= ${cell} and c.cell < ${after(cell)} and c.cell_precision >= ${cell.length})`,
    )
    parts.push(sql`(${join(within, ' or ')})`)
  }
  if (near) {
    const { latitude, longitude, radiusKm } = near
    parts.push(geography.around(near))
    parts.push(
      sql`contribution_collection.distance_km(${latitude}, ${longitude}, c.latitude, c.longitude) <= ${radiusKm}`,
    )
  }
  return parts
}

function wordConditions({ words }: Question, { tenant }: SearchContext): Sql[] {
  if (!words || words.length === 0) return []
  return [sql`c.words @> ${words.map((word) => wordKey(tenant, word))}::bigint[]`]
}
