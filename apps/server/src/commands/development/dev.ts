import { print, text, UsageError, whole } from '@icosa/module'
import { chooseServices, requirePublicUrl } from '../../choose.ts'
import type { Arguments, Command } from '../../command.ts'
import { type Config, readConfig } from '../../config.ts'
import { launchDatabase } from '../../database.ts'
import { claimFolder, refuseClaimed } from '../../dev/claim.ts'
import { startDetached } from '../../dev/detach.ts'
import { freePort } from '../../dev/port.ts'
import { devConfig, devKey, isLocal } from '../../dev/settings.ts'
import { completeRestore } from '../../dev/snapshots/recovery.ts'

export const dev: Command = {
  name: 'dev',
  usage: 'dev [--port 4000] [--data .icosa] [--services a,b] [--tls] [--detach] [--temporary] [--json]',
  summary: 'Run everything in one process, with its own database: no account, nothing to install.',
  flags: {
    port: { type: 'string' },
    host: { type: 'string' },
    services: { type: 'string' },
    tls: { type: 'boolean' },
    detach: { type: 'boolean' },
    temporary: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  audited: false,
  async run({ flags, config: environment }) {
    if (flags.temporary === true) return temporary(environment, flags)
    if (flags.detach === true) return detached(environment, flags)
    const settings = readConfig(environment.env, { development: true })
    const host = text(flags, 'host') ?? settings.host
    if (!isLocal(host)) requirePublicUrl(settings)
    refuseClaimed(settings.dataDirectory)
    // Before anything is created or started that would need cleanup. Port 0 is resolved now, since links contain it.
    const api = { host, port: await freePort(host, whole(flags, 'port', settings.port)) }
    const url = addressOf(settings, api, flags)
    const chosen = await chooseServices(text(flags, 'services'), { ...settings, ...api, publicUrls: [url] })
    const config = await devConfig(environment)
    claimFolder(config.dataDirectory, url)
    const key = await devKey(config, api.host)
    await completeRestore(config)
    const { ready } = await launchDatabase(config) // starts while the code below is loaded
    const { runDev } = await import('../../dev/run.ts')
    await runDev({ config, api, chosen, key, ready, tls: flags.tls === true, json: flags.json === true })
  },
}

/** Runs an instance for tests, whose data folder is deleted at the end. */
async function temporary({ env }: Config, flags: Arguments['flags']): Promise<void> {
  for (const name of ['detach', 'tls', 'host'])
    if (flags[name] !== undefined && flags[name] !== false)
      throw new UsageError(`--temporary cannot be combined with --${name}.`)
  const { runTemporary } = await import('../../dev/temporary.ts')
  await runTemporary({
    services: text(flags, 'services'),
    port: whole(flags, 'port', 0),
    env,
    json: flags.json === true,
  })
}

/** Starts `icosa dev` in the background; returns when it is ready. */
async function detached(config: Config, flags: Arguments['flags']): Promise<void> {
  refuseClaimed(config.dataDirectory)
  const named = ['port', 'host', 'services'].flatMap((name) => {
    const value = text(flags, name)
    return value === undefined ? [] : [`--${name}=${value}`]
  })
  const instance = await startDetached(config, [...named, ...(flags.tls === true ? ['--tls'] : [])])
  const { pid, url } = instance
  if (flags.json === true) return print(JSON.stringify({ pid, url }))
  print(`Icosa is ready at ${url} (process ${pid}). \`icosa logs\` shows its output, \`icosa stop\` stops it.`)
}

/** The configured public address, or else the local one. */
const addressOf = (
  { publicUrls: [first] }: Config,
  { host, port }: { host: string; port: number },
  flags: Arguments['flags'],
) => first ?? `${flags.tls === true ? 'https' : 'http'}://${host}:${port}`
