import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'

/** Exists during a restore, with the name of its snapshot. */
export const markerIn = (dataDirectory: string) => join(dataDirectory, 'restoring')

/** Completes an interrupted restore, which left the data folder inconsistent. */
export async function completeRestore(config: Config): Promise<void> {
  if (!existsSync(markerIn(config.dataDirectory))) return
  const { snapshotFolder } = await import('./folder.ts')
  await snapshotFolder(config).recover()
}
