import { join, type Sql, sql } from '@icosa/kernel'
import type { Geography } from '../geo/geography.ts'
import { after } from '../geo/geohash.ts'
import { wordKey } from '../text/words.ts'
import type { Question, Viewer } from './question.ts'

export interface Asked {
  readonly tenant: string
  readonly viewer: Viewer
  readonly now: Date
  readonly geography: Geography
}

const isNumber = (text: string) => /^[1-9]\d{0,17}$/.test(text)
/** What cannot be an id is nobody's. */
const idOf = (text: string) => (isNumber(text) ? text : '0')

/** All that a question asks, and what its asker may see, of `contributions as c`. */
export function conditionOf(question: Question, asked: Asked): Sql {
  return join(
    [
      sql`c.tenant = ${asked.tenant}`,
      ...visible(question, asked),
      ...plain(question),
      ...places(question, asked),
      ...texts(question, asked),
    ],
    ' and ',
  )
}

/** Assignments that hide what was sent to them, as an array that is made once for a statement. */
const hidden = (tenant: string, now: Date) => sql`array(
  select a.id from contribution_collection.assignments as a
    where a.tenant = ${tenant} and a.embargo > ${now}
  union all select a.id from contribution_collection.assignments as a
    where a.tenant = ${tenant} and a.deleted_at is not null)`
const gone = (tenant: string) => sql`array(
  select a.id from contribution_collection.assignments as a where a.tenant = ${tenant} and a.deleted_at is not null)`

/** Who may see one, whatever its state: it is public, one's own, or in one's jurisdiction. */
export function seenBy({ tenant, viewer: { user, isTenant }, now }: Asked): Sql {
  const isThere = sql`c.deleted_at is null and c.assignment <> all(${gone(tenant)})`
  if (isTenant) return isThere
  return sql`${isThere} and (c.author = ${user} or c.owner = ${user}
    or c.assignment = any(array(select a.id from contribution_collection.assignments as a
      where a.tenant = ${tenant} and a.moderator = ${user}))
    or (c.is_public and c.assignment <> all(${hidden(tenant, now)})))`
}

function visible({ states }: Question, asked: Asked): Sql[] {
  if (states === 'public') return [sql`c.is_public`, sql`c.assignment <> all(${hidden(asked.tenant, asked.now)})`]
  return [sql`c.state = any(${[...states]})`, seenBy(asked)]
}

function plain({
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
  // They end in the id.
  if (urlWords !== undefined)
    parts.push(sql`c.id = ${idOf(/-(\d+)$/.exec(urlWords)?.[1] ?? '')}`, sql`c.url_words = ${urlWords}`)
  for (const { from, after, before } of created) {
    if (from) parts.push(sql`c.created_at >= ${from}`)
    if (after) parts.push(sql`c.created_at > ${after}`)
    if (before) parts.push(sql`c.created_at < ${before}`)
  }
  return parts
}

function places({ cells, near }: Question, { geography }: Asked): Sql[] {
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

function texts({ words }: Question, { tenant }: Asked): Sql[] {
  if (!words || words.length === 0) return []
  return [sql`c.words @> ${words.map((word) => wordKey(tenant, word))}::bigint[]`]
}
