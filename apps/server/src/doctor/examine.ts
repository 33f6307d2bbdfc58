import type { Facts, Install, Need } from '@icosa/module'
import { type Config, factsOf } from '../config.ts'
import { type LoadedModule, loadModules, refuseWrongSettings, settingsOf } from '../services.ts'
import { platformNeeds } from './needs.ts'

/** A need of a service, with the result of its check. */
export interface Examined {
  readonly service: string
  readonly need: string
  readonly purpose: string
  readonly isThere: boolean
  /** Whether the service works without it. */
  readonly isOptional: boolean
  readonly detail: string
  readonly remedy: Install | string
}

/** Checks the needs of the platform and the services concurrently; returns them in order. */
export async function examine(config: Config, requested: string | undefined): Promise<readonly Examined[]> {
  const development = config.databaseUrl === undefined
  const modules = await loadModules(requested)
  refuseWrongSettings(modules, config.env, { development })
  const facts = factsOf(config)
  const own = platformNeeds.map((need) => look('platform', need, config, facts))
  const others = modules.flatMap(({ name, module }) => needsOf(name, module, config, facts, development))
  return Promise.all([...own, ...others])
}

function needsOf(
  name: string,
  module: LoadedModule['module'],
  { env }: Config,
  facts: Facts,
  development: boolean,
): Promise<Examined>[] {
  const settings = settingsOf(module, env, { development })
  return (module.needs ?? []).map((need) => look(name, need, settings, facts))
}

async function look<S>(service: string, need: Need<S>, settings: S, facts: Facts): Promise<Examined> {
  const { name, purpose, remedy, isOptional = false } = need
  return { service, need: name, purpose, isOptional, remedy, ...(await need.check(settings, facts)) }
}

/** Installation instructions, one line per operating system. */
export function remedyOf(remedy: Install | string): string[] {
  if (typeof remedy === 'string') return [remedy]
  const { debian, macos, windows = `in WSL 2: ${debian}`, other } = remedy
  return [
    `Debian, Ubuntu   ${debian}`,
    `macOS            ${macos}`,
    `Windows          ${windows}`,
    `others           ${other}`,
  ]
}

/** The line for the operating system of this machine. */
export function remedyHere(remedy: Install | string, platform = process.platform): string {
  if (typeof remedy === 'string') return remedy
  const { debian, macos, windows = `in WSL 2: ${debian}`, other } = remedy
  return { linux: debian, darwin: macos, win32: windows }[platform as string] ?? other
}
