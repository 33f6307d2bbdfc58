import type { ReadingDb } from '@icosa/kernel'
import { toUsage } from '../media/usages.ts'
import { mediaByIds } from '../media/usages-store.ts'
import { tagsByIds } from '../tags/store.ts'
import { tagsOf } from '../tags/view.ts'
import type { AssignmentRow } from './store.ts'

export interface Surroundings {
  readonly db: ReadingDb
  readonly tenant: string
  readonly now: Date
  readonly publicUrl: string
}

export const isOpen = ({ endsAt }: Pick<AssignmentRow, 'endsAt'>, now: Date) => endsAt === null || endsAt > now

const text = <const Name extends string>(name: Name, value: string | null) =>
  (value === null ? {} : { [name]: value }) as { [N in Name]?: string }
const time = <const Name extends string>(name: Name, value: Date | null) => text(name, value?.toISOString() ?? null)

export async function shownAssignments({ db, tenant, now, publicUrl }: Surroundings, rows: readonly AssignmentRow[]) {
  const tags = await tagsByIds(db, tenant, [...new Set(rows.flatMap((row) => row.tags))])
  const covers = rows.flatMap(({ cover }) => (cover === null ? [] : [cover]))
  const media = covers.length === 0 ? [] : await mediaByIds(db, tenant, covers)
  return rows.map((row) => {
    const cover = media.find(({ id }) => id === row.cover)
    return {
      id: row.id,
      ownedBy: row.owner,
      name: row.name,
      ...text('description', row.description),
      urlWords: row.urlWords,
      ...text('receiptMessage', row.receiptMessage),
      ...text('callToAction', row.callToAction),
      ...text('moderator', row.moderator),
      allowsAnonymousContributions: row.allowsAnonymous,
      featured: row.isFeatured,
      mediaRequired: row.mediaRequired,
      ...time('starts', row.startsAt),
      ...time('ends', row.endsAt),
      ...time('embargo', row.embargo),
      open: isOpen(row, now),
      created: row.createdAt.toISOString(),
      ...(cover && { cover: toUsage(publicUrl, tenant, cover.id, cover) }),
      tags: tagsOf(row.tags, tags),
      webUrl: `${publicUrl}/pages/${tenant}/${row.id}`,
    }
  })
}
