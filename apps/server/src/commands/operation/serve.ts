import { type NodeOptions, openDatabase, systemClock, takeIntoOperation } from '@icosa/kernel'
import { remark, text, whole } from '@icosa/module'
import type { Command } from '../../command.ts'
import { chooseServices, nodeOptions, requirePublicUrl, runNode } from '../../node.ts'

export const serve: Command = {
  name: 'serve',
  usage: 'serve [--port 4000] [--host 127.0.0.1] [--services a,b]',
  summary: 'Start an API node. Run as many as you like on one database.',
  flags: { port: { type: 'string' }, host: { type: 'string' }, services: { type: 'string' } },
  async run({ flags, config }) {
    const api = { host: text(flags, 'host') ?? config.host, port: whole(flags, 'port', config.port) }
    requirePublicUrl(config)
    const chosen = await chooseServices(text(flags, 'services'), { ...config, ...api })
    await runNode(
      config,
      chosen,
      (url, services) => inOperation(nodeOptions(config, url, services, { api })),
      (node) => remark(`Serving at ${node.url}`),
    )
  },
}

export const worker: Command = {
  name: 'worker',
  usage: 'worker [--services a,b] [--concurrency 32] [--port 4001]',
  summary:
    'Start a worker, which runs jobs, timers and schedules. With a port, it serves its health and metrics there.',
  flags: { services: { type: 'string' }, concurrency: { type: 'string' }, port: { type: 'string' } },
  async run({ flags, config }) {
    requirePublicUrl(config)
    const concurrency = whole(flags, 'concurrency', config.concurrency)
    const chosen = await chooseServices(text(flags, 'services'), config)
    const api = { host: config.host, port: whole(flags, 'port', config.port), services: [] }
    const health = text(flags, 'port') === undefined ? {} : { api }
    await runNode(
      config,
      chosen,
      (url, services) => inOperation(nodeOptions(config, url, services, { worker: { concurrency }, ...health })),
      (node) => remark(node.url ? `Working; health and metrics at ${node.url}` : 'Working'),
    )
  },
}

/** From here on development mode keeps away from the database, and what it left there opens nothing. */
async function inOperation(options: NodeOptions): Promise<NodeOptions> {
  const { databaseUrl: url } = options
  const database = openDatabase({ url, maxConnections: 1, onError: (error) => remark(error.message) })
  try {
    await database.transaction((db) => takeIntoOperation(db, systemClock))
  } finally {
    await database.close()
  }
  return options
}
