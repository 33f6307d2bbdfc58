import { text, whole } from '@icosa/module'
import { chooseServices } from '../../choose.ts'
import type { Command } from '../../command.ts'
import { launchDatabase } from '../../database.ts'
import { sayInLog } from '../../say.ts'

export const serve: Command = {
  name: 'serve',
  usage: 'serve [--port 4000] [--host 127.0.0.1] [--services a,b]',
  summary: 'Start an API node. Run as many as you like on one database.',
  flags: { port: { type: 'string' }, host: { type: 'string' }, services: { type: 'string' } },
  audited: false,
  async run({ flags, config }) {
    const api = { host: text(flags, 'host') ?? config.host, port: whole(flags, 'port', config.port) }
    const chosen = await chooseServices(text(flags, 'services'), { ...config, ...api }, sayInLog)
    const { ready } = await launchDatabase(config)
    const { runInOperation } = await import('../../operation.ts')
    await runInOperation(config, chosen, ready, { api }, ({ url }) => `Serving at ${url}`)
  },
}

export const worker: Command = {
  name: 'worker',
  usage: 'worker [--services a,b] [--concurrency 32] [--port 4001]',
  summary: 'Start a worker, which runs jobs, timers and schedules. With a port, it serves its health there.',
  flags: { services: { type: 'string' }, concurrency: { type: 'string' }, port: { type: 'string' } },
  audited: false,
  async run({ flags, config }) {
    const concurrency = whole(flags, 'concurrency', config.concurrency)
    const chosen = await chooseServices(text(flags, 'services'), config, sayInLog)
    const api = { host: config.host, port: whole(flags, 'port', config.port), services: [] }
    const roles = { worker: { concurrency }, ...(text(flags, 'port') !== undefined && { api }) }
    const { ready } = await launchDatabase(config)
    const { runInOperation } = await import('../../operation.ts')
    await runInOperation(config, chosen, ready, roles, ({ url }) => (url ? `Working; health at ${url}` : 'Working'))
  },
}
