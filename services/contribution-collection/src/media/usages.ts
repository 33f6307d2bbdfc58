import type { ReadingDb } from '@icosa/kernel'
import { type MediaRow, usagesOf } from './usages-store.ts'

/** A file in a contribution or cover, with URLs of its renditions. */
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

export async function usagesByContribution(
  db: ReadingDb,
  publicUrl: string,
  tenant: string,
  contributions: readonly string[],
): Promise<ReadonlyMap<string, Usage[]>> {
  const usages = new Map<string, Usage[]>()
  if (contributions.length === 0) return usages
  for (const row of await usagesOf(db, tenant, contributions)) {
    const list = usages.get(row.contribution) ?? []
    list.push(toUsage(publicUrl, tenant, row.usage, row))
    usages.set(row.contribution, list)
  }
  return usages
}
