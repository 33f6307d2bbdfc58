import { startNode } from '@icosa/kernel'
import { type Command, remark, text, whole } from '../command.ts'
import { findDatabase } from '../database.ts'
import { askedToStop, chosenServices, nodeOptions } from '../node.ts'

export const serve: Command = {
  name: 'serve',
  usage: 'serve [--port 4000] [--host 127.0.0.1] [--services a,b]',
  summary: 'An API node. Start as many as you like on one database.',
  flags: { port: { type: 'string' }, host: { type: 'string' }, services: { type: 'string' } },
  async run({ flags, config }) {
    const api = { host: text(flags, 'host') ?? config.host, port: whole(flags, 'port', config.port) }
    const { url } = await findDatabase(config)
    const node = await startNode(nodeOptions(config, url, chosenServices(text(flags, 'services')), { api }))
    remark(`Serving at ${node.url}`)
    await askedToStop()
    await node.stop()
  },
}

export const worker: Command = {
  name: 'worker',
  usage: 'worker [--services a,b] [--concurrency 32] [--port 4001]',
  summary: 'A worker: runs jobs, timers and schedules. With a port it shows its health and figures there.',
  flags: { services: { type: 'string' }, concurrency: { type: 'string' }, port: { type: 'string' } },
  async run({ flags, config }) {
    const concurrency = whole(flags, 'concurrency', config.concurrency)
    const { url } = await findDatabase(config)
    const chosen = chosenServices(text(flags, 'services'))
    const api = { host: config.host, port: whole(flags, 'port', config.port), services: [] }
    const health = text(flags, 'port') === undefined ? {} : { api }
    const node = await startNode(nodeOptions(config, url, chosen, { worker: { concurrency }, ...health }))
    remark(node.url ? `Working; health and figures at ${node.url}` : 'Working')
    await askedToStop()
    await node.stop()
  },
}
