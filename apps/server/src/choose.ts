import { resolve } from 'node:path'
import type { Service } from '@icosa/kernel'
import { type Journal, remark, UsageError } from '@icosa/module'
import { type Config, factsOf } from './config.ts'
import {
  createServices,
  loadModules,
  refuseIncompleteSettings,
  refuseWrongSettings,
  settingsOf,
  unknownSettings,
} from './services.ts'
import { platformSettings } from './settings.ts'

export interface NamedJournal extends Journal {
  readonly service: string
}

export interface SharedFolder {
  readonly variable: string
  readonly folder: string
}

/** Services chosen for a node. Loading them takes most of the start-up time, so it does not wait for the database. */
export interface Chosen {
  create(databaseUrl: Promise<string>): Promise<readonly Service[]>
  /** Creates them without a database: enough to list their tables. */
  outline(): Promise<readonly Service[]>
  /** Journals of their recent activity. */
  journals(): Promise<readonly NamedJournal[]>
  /** Folders that all nodes, or all workers, must share, each with the setting that names it. */
  folders(isWorker: boolean): readonly SharedFolder[]
  /** Throws if the node cannot start; prints remarks for the operator. */
  inspect(databaseUrl: string): Promise<void>
}

/** Throws on unknown services and invalid settings; warns about unknown variables. */
export async function chooseServices(
  requested: string | undefined,
  config: Config,
  say: (line: string) => void = remark,
): Promise<Chosen> {
  const { env, development, strictVersions } = config
  const modules = await loadModules(requested)
  if (development) refuseWrongSettings(modules, env, { development })
  else refuseIncompleteSettings(modules, env)
  for (const line of await unknownSettings(env, modules)) say(line)
  return {
    create: (databaseUrl) =>
      createServices(modules, { env, development, strictVersions, facts: factsOf(config, databaseUrl) }),
    outline: () => createServices(modules, { env, development, strictVersions, facts: factsOf(config) }),
    async journals() {
      const all = modules.map(async ({ name, module }) => {
        const loaded = await module.journal?.()
        return loaded ? [{ ...loaded.journal, service: name }] : []
      })
      return (await Promise.all(all)).flat()
    },
    folders(isWorker) {
      const groups = [platformSettings, ...modules.flatMap(({ module }) => module.settings ?? [])]
      const shared = groups.flatMap(({ settings }) => settings.filter((setting) => setting.shared !== undefined))
      const required = shared.filter((one) => one.shared === 'nodes' || isWorker)
      return required.flatMap(({ variable }) => {
        const place = env[variable]
        const isFolder = place && !/^\w+:/.test(place) // not the address of a bucket
        return isFolder ? { variable, folder: resolve(place) } : []
      })
    },
    async inspect(databaseUrl) {
      for (const { name, module } of modules) {
        const remarks = await module.inspect?.(settingsOf(module, env, { development }), factsOf(config, databaseUrl))
        for (const line of remarks ?? []) say(`${name}: ${line}`)
      }
    },
  }
}

/**
 * Links in mails, the issuer of tokens and the names of resources contain the public address. Taken from the Host
 * header, it would be the sender's choice: an attacker could request a password reset whose link points to their own
 * host.
 */
export function requirePublicUrl({ publicUrls }: Pick<Config, 'publicUrls'>): void {
  if (publicUrls.length === 0)
    throw new UsageError(
      'Set ICOSA_PUBLIC_URL to the address under which callers reach the platform, such as https://api.example.com; several are separated by commas.',
    )
}
