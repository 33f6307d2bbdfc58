import type { ShownContribution } from '../contributions/view.ts'

/** A contribution as plain text. */
export function textOf({
  id,
  headline,
  body,
  created,
  assignment,
  attribution,
  place,
  mediaUsages,
}: ShownContribution): string {
  const { latitude, longitude } = place?.latLong ?? {}
  const where = [place?.name, place?.country, latitude === undefined ? undefined : `${latitude}, ${longitude}`]
  const lines = [
    headline === '' ? undefined : headline,
    `Contribution ${id} to ${assignment.name}`,
    attribution === '' ? undefined : `By ${attribution}`,
    `Sent ${created}`,
    where.some(Boolean) ? `Place: ${where.filter(Boolean).join(', ')}` : undefined,
    mediaUsages.length === 0
      ? undefined
      : `Files: ${mediaUsages.map(({ media }) => `${media.type} ${media.id}`).join(', ')}`,
    body === undefined ? undefined : `\n${body}`,
  ]
  return `${lines.filter((line) => line !== undefined).join('\n')}\n`
}
