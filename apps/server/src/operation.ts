import { openDatabase, type RunningNode, type Service, takeIntoOperation } from '@icosa/kernel'
import { proveShared } from '@icosa/platform/folders'
import { type Membership, membershipOf, refuseOtherCell, startReporting } from './cells/membership.ts'
import { directoryFor } from './cells/overview.ts'
import type { Chosen, SharedFolder } from './choose.ts'
import type { Config } from './config.ts'
import type { FoundDatabase } from './database.ts'
import { examineApart, type LackingWatch, watchLacking } from './doctor/lacking.ts'
import { nodeOptions, type Roles, runNode } from './node.ts'
import { sayInLog } from './say.ts'
import { refuseOtherSchema } from './schema.ts'

/** Runs a node of `serve` or `worker`, and logs when it is ready. */
export async function runInOperation(
  config: Config,
  chosen: Chosen,
  ready: Promise<FoundDatabase>,
  roles: Roles,
  words: (node: RunningNode) => string,
): Promise<void> {
  let watch: LackingWatch | undefined
  const membership = membershipOf(config, (error) => sayInLog(`directory of cells: ${error.message}`))
  let stopReporting = () => {}
  await runNode(
    ready,
    chosen,
    async (url, services) => {
      const options = nodeOptions(config, url, services, roles, {
        directory: membership && directoryFor(membership.directory),
      })
      await takeOver(url, options.services, chosen.folders(roles.worker !== undefined), membership)
      return { ...options, reserveName: membership?.reserveName, lacking: () => watch?.lacking() ?? {} }
    },
    (node, _, services) => {
      sayInLog(words(node))
      if (node.metricsUrl) sayInLog(`Metrics at ${node.metricsUrl}`)
      if (membership) stopReporting = startReporting(node.platform.database, membership, sayInLog)
      const names = services.map(({ name }) => name)
      watch = watchLacking(examineApart(names, config.env), sayInLog)
    },
    sayInLog,
  ).finally(() => {
    watch?.close()
    stopReporting()
    void membership?.directory.close().catch(() => {})
  })
}

/** Marks the database as in operation: development mode refuses it from now on, and its key is revoked. */
async function takeOver(
  url: string,
  services: readonly Service[],
  folders: readonly SharedFolder[],
  membership: Membership | undefined,
): Promise<void> {
  const database = openDatabase({ url, maxConnections: 1, onError: (error) => sayInLog(error.message) })
  try {
    await refuseOtherSchema(database, services)
    await refuseOtherCell(database, membership?.cell)
    await database.transaction(takeIntoOperation)
    for (const { variable, folder } of folders) await proveShared(database, variable, folder)
  } finally {
    await database.close()
  }
}
