import type { ReadingDb } from '@icosa/kernel'
import { byIds } from '../assignments/store.ts'
import { shownAssignments } from '../assignments/view.ts'
import { usagesByContribution } from '../media/usages.ts'
import type { Viewer } from '../search/question.ts'
import { usersByIds } from '../users/store.ts'
import { toUser } from '../users/view.ts'
import { likeCounts } from './reactions-store.ts'
import { actions } from './states.ts'
import { type ContributionRow, moderates, moderationsOf, publicIds } from './store.ts'

export interface Surroundings {
  readonly db: ReadingDb
  readonly tenant: string
  readonly viewer: Viewer
  readonly now: Date
  readonly publicUrl: string
}

const unique = (texts: readonly string[]) => [...new Set(texts)]

/** Moderators and authors see the moderation history; moderators also see the sender. */
export async function shownContributions(surroundings: Surroundings, rows: readonly ContributionRow[]) {
  const { db, tenant, viewer, publicUrl } = surroundings
  if (rows.length === 0) return []
  const assignmentIds = unique(rows.map(({ assignment }) => assignment))
  const moderated = viewer.isTenant ? undefined : await moderates(db, tenant, viewer.user, assignmentIds)
  const isModerator = ({ owner, assignment }: ContributionRow) =>
    viewer.isTenant || owner === viewer.user || moderated?.has(assignment) === true
  const isAuthor = ({ author }: ContributionRow) => author === viewer.user
  const idsOf = (contributions: readonly ContributionRow[]) => contributions.map(({ id }) => id)
  const assignmentRows = await byIds(db, tenant, assignmentIds)
  const assignments = await shownAssignments(surroundings, [...assignmentRows.values()])
  const usages = await usagesByContribution(db, publicUrl, tenant, idsOf(rows))
  const histories = await moderationsOf(db, tenant, idsOf(rows.filter((row) => isModerator(row) || isAuthor(row))))
  const likes = await likeCounts(db, tenant, idsOf(rows))
  const published = await publicIds(db, surroundings, idsOf(rows))
  const users = await usersByIds(db, tenant, unique(rows.filter(isModerator).map(({ author }) => author)))

  return rows.map((row) => {
    const assignment = assignments.find(({ id }) => id === row.assignment) as (typeof assignments)[number]
    const user = users.get(row.author)
    return {
      id: row.id,
      headline: row.headline,
      ...(row.body !== null && { body: row.body }),
      created: row.createdAt.toISOString(),
      assignment,
      attribution: row.attribution,
      urlWords: row.urlWords,
      ...(row.place !== null && { place: row.place }),
      mediaUsages: usages.get(row.id) ?? [],
      likeCount: likes.get(row.id) ?? 0,
      ...(published.has(row.id) && { webUrl: pageUrl(publicUrl, tenant, row.id) }),
      ...((isModerator(row) || isAuthor(row)) && {
        moderationHistory: histories
          .filter(({ contribution }) => contribution === row.id)
          .map(({ action, notes, at }) => ({
            date: at.toISOString(),
            action: actions[action],
            ...(notes !== null && isModerator(row) && { notes }),
          })),
      }),
      ...(isModerator(row) && {
        via: {
          authority: { id: row.authority, user: user ? toUser(user) : { id: row.author } },
          ...(row.ipAddress !== null && { ipAddress: row.ipAddress }),
        },
      }),
    }
  })
}

/** Web page of a public contribution. */
export const pageUrl = (publicUrl: string, tenant: string, id: string): string =>
  `${publicUrl}/pages/${encodeURIComponent(tenant)}/contributions/${id}`

export type ShownContribution = Awaited<ReturnType<typeof shownContributions>>[number]
