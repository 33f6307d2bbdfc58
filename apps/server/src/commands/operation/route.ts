import { text, UsageError, whole } from '@icosa/module'
import type { Command } from '../../command.ts'

export const route: Command = {
  name: 'route',
  usage: 'route [--port 4100] [--host 127.0.0.1] | route --haproxy FOLDER [--follow]',
  summary:
    'Send requests to the cells of their tenants, by the directory of cells. Or write the configuration with which HAProxy does; with --follow, keep its table current.',
  flags: {
    port: { type: 'string' },
    host: { type: 'string' },
    haproxy: { type: 'string' },
    follow: { type: 'boolean' },
  },
  audited: false,
  async run({ flags, config }) {
    if (config.directoryUrl === undefined)
      throw new UsageError('Set ICOSA_DIRECTORY_URL to the database of the directory of cells.')
    const address = { host: text(flags, 'host') ?? config.host, port: whole(flags, 'port', 4100) }
    const folder = text(flags, 'haproxy')
    if (folder === undefined) {
      if (flags.follow === true) throw new UsageError('--follow is for --haproxy FOLDER: `icosa route` always follows.')
      return (await import('../../router/run.ts')).runRouter(config, config.directoryUrl, address)
    }
    const options = { folder, address, isFollowing: flags.follow === true }
    return (await import('../../router/haproxy/run.ts')).configureHaproxy(config, config.directoryUrl, options)
  },
}
