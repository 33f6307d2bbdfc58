import { openDatabase, type RunningNode, type Service, takeIntoOperation } from '@icosa/kernel'
import { proveShared } from '@icosa/platform/folders'
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
  await runNode(
    ready,
    chosen,
    async (url, services) => {
      const options = nodeOptions(config, url, services, roles)
      await takeOver(url, options.services, chosen.folders(roles.worker !== undefined))
      return { ...options, lacking: () => watch?.lacking() ?? {} }
    },
    (node, _, services) => {
      sayInLog(words(node))
      if (node.metricsUrl) sayInLog(`Metrics at ${node.metricsUrl}`)
      const names = services.map(({ name }) => name)
      watch = watchLacking(examineApart(names, config.env), sayInLog)
    },
    sayInLog,
  ).finally(() => watch?.close())
}

/** Marks the database as in operation: development mode refuses it from now on, and its key is revoked. */
async function takeOver(url: string, services: readonly Service[], folders: readonly SharedFolder[]): Promise<void> {
  const database = openDatabase({ url, maxConnections: 1, onError: (error) => sayInLog(error.message) })
  try {
    await refuseOtherSchema(database, services)
    await database.transaction(takeIntoOperation)
    for (const { variable, folder } of folders) await proveShared(database, variable, folder)
  } finally {
    await database.close()
  }
}
