import type { ReadingDb } from '@icosa/kernel'
import { type MediaRow, usagesOf } from './usages-store.ts'

/** A file as contributions and covers show it, with the addresses of its copies. */
export function toUsage(publicUrl: string, tenant: string, usage: string, { id, type, duration, variants }: MediaRow) {
  return {
    id: usage,
    media: { id, type, ...(duration !== null && { duration }) },
    artifacts: variants.map(({ label, contentType, size, width, height }) => ({
      label,
      contentType,
      contentLength: size,
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
      url: `${publicUrl}/media/${tenant}/${id}/${encodeURIComponent(label)}`,
    })),
  }
}

export type Usage = ReturnType<typeof toUsage>

/** The files of contributions, by contribution. */
export async function usagesByContribution(
  db: ReadingDb,
  publicUrl: string,
  tenant: string,
  contributions: readonly string[],
): Promise<ReadonlyMap<string, Usage[]>> {
  const found = new Map<string, Usage[]>()
  if (contributions.length === 0) return found
  for (const row of await usagesOf(db, tenant, contributions)) {
    const list = found.get(row.contribution) ?? []
    list.push(toUsage(publicUrl, tenant, row.usage, row))
    found.set(row.contribution, list)
  }
  return found
}
