import { text, whole } from '@icosa/module'
import { chooseServices, requirePublicUrl } from '../../choose.ts'
import type { Arguments, Command } from '../../command.ts'
import type { Config } from '../../config.ts'
import { launchDatabase } from '../../database.ts'
import { freePort } from '../../dev/port.ts'
import { devConfig, devKey, isLocal } from '../../dev/settings.ts'
import { completeRestore } from '../../dev/snapshots/recovery.ts'

export const dev: Command = {
  name: 'dev',
  usage: 'dev [--port 4000] [--data .icosa] [--services a,b] [--tls] [--json]',
  summary: 'Run everything in one process, with its own database: no account, nothing to install.',
  flags: {
    port: { type: 'string' },
    host: { type: 'string' },
    services: { type: 'string' },
    tls: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  audited: false,
  async run({ flags, config: environment }) {
    const config = await devConfig(environment)
    const host = text(flags, 'host') ?? config.host
    if (!isLocal(host)) requirePublicUrl(config)
    // Before anything is started that would have to be stopped again; and any port is chosen now, for links to have it.
    const api = { host, port: await freePort(host, whole(flags, 'port', config.port)) }
    const chosen = await chooseServices(text(flags, 'services'), {
      ...config,
      ...api,
      publicUrls: [addressOf(config, api, flags)],
    })
    const key = await devKey(config, api.host)
    await completeRestore(config)
    const { ready } = await launchDatabase(config) // it starts while all that follows is loaded
    const { runDev } = await import('../../dev/run.ts')
    await runDev({ config, api, chosen, key, ready, tls: flags.tls === true, json: flags.json === true })
  },
}

/** With TLS, what is handed out as an address is one of TLS. */
const addressOf = (
  { publicUrls: [first] }: Config,
  { host, port }: { host: string; port: number },
  flags: Arguments['flags'],
) => first ?? `${flags.tls === true ? 'https' : 'http'}://${host}:${port}`
