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

/** The services that a node shall have. Loading them takes the most time of a start, so it need not wait for the database. */
export interface Chosen {
  create(databaseUrl: Promise<string>): Promise<readonly Service[]>
  /** What they are without a database: enough to know their tables. */
  outline(): Promise<readonly Service[]>
  /** What they sent or did lately. */
  journals(): Promise<readonly NamedJournal[]>
  /** The folders that nodes of a kind must share, by the setting that names each. */
  folders(isWorker: boolean): readonly SharedFolder[]
  /** Throws what keeps the node from starting, and says what the operator should know. */
  inspect(databaseUrl: string): Promise<void>
}

/** Refuses words that name no service, and settings that cannot be used; remarks on variables that nothing reads. */
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
      const shared = groups.flatMap(({ settings }) => settings.filter((one) => one.shared !== undefined))
      const here = shared.filter((one) => one.shared === 'nodes' || isWorker)
      return here.flatMap(({ variable }) => {
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
 * Links in mails, the issuer of tokens and the names of resources hold an address. Taken from a request, it would be the
 * sender's choice: a stranger could have a password's reset link sent that leads to the stranger.
 */
export function requirePublicUrl({ publicUrls }: Pick<Config, 'publicUrls'>): void {
  if (publicUrls.length === 0)
    throw new UsageError(
      'Set ICOSA_PUBLIC_URL to the address under which callers reach the platform, such as https://api.example.com; several are separated by commas.',
    )
}
