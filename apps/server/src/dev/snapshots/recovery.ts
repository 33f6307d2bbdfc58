import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'

/** There while a restore is under way, with the name of its snapshot. */
export const markerIn = (dataDirectory: string) => join(dataDirectory, 'restoring')

/** Brings a restore to its end that was cut off: half of one is of no use to anybody. */
export async function completeRestore(config: Config): Promise<void> {
  if (!existsSync(markerIn(config.dataDirectory))) return
  const { snapshotFolder } = await import('./folder.ts')
  await snapshotFolder(config).recover()
}
