import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { serveMetrics } from '@icosa/kernel'
import { openDirectory } from '../cells/directory.ts'
import { changesSince, latestVersion } from '../cells/store.ts'
import type { Config } from '../config.ts'
import { askedToStop, endSoon, outliveOutages } from '../process.ts'
import { sayInLog } from '../say.ts'
import { type FollowedTable, type FollowOptions, followDirectory } from './follow.ts'
import { routerMetrics } from './metrics.ts'
import { forwarder } from './proxy/forward.ts'
import { cellFinder } from './proxy/hold.ts'
import { startRouter } from './proxy/server.ts'
import { rulesIn } from './rules.ts'

/** Runs a router until a termination signal. */
export async function runRouter(config: Config, directoryUrl: string, address: { host: string; port: number }) {
  const rules = await rulesIn(config.env)
  await mkdir(config.dataDirectory, { recursive: true, mode: 0o700 })
  await using followed = await followedAt(directoryUrl, { file: join(config.dataDirectory, 'routes'), say: sayInLog })
  const finder = cellFinder(followed)
  const metrics = routerMetrics(followed, finder)
  const options = { rules, followed, finder, forwarder: forwarder(), trustedProxies: config.trustedProxies }
  const router = await startRouter({ ...options, ...address, drainMs: config.drainMs, onAnswer: metrics.count })
  const { host, port } = config.metrics
  const figures = port === undefined ? undefined : await serveMetrics(metrics.figures, { host, port })
  outliveOutages(sayInLog)
  const count = followed.table.cells.filter(({ isRemoved }) => !isRemoved).length
  sayInLog(`Routing at ${router.url} to ${count} cells`)
  if (figures) sayInLog(`Metrics at ${figures.url}`)
  await askedToStop(sayInLog)
  await router.close()
  await figures?.close()
  endSoon()
}

/** How long a read of the directory may take. */
const maxReadMs = 10_000

/** The table of a directory. */
export async function followedAt(
  directoryUrl: string,
  options: Omit<FollowOptions, 'read' | 'latest'>,
): Promise<FollowedTable & AsyncDisposable> {
  const directory = openDirectory({ url: directoryUrl, maxMs: maxReadMs, onError: () => {} }) // reported by its reader
  const read: FollowOptions['read'] = (version, limit) => directory.use((db) => changesSince(db, version, limit))
  const latest = () => directory.use(latestVersion)
  try {
    const followed = await followDirectory({ ...options, read, latest })
    return { ...followed, [Symbol.asyncDispose]: () => followed.close().finally(() => directory.close()) }
  } catch (error) {
    await directory.close()
    throw error
  }
}
