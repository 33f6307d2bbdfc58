import { arch, availableParallelism, freemem, hostname, loadavg, release, totalmem, uptime } from 'node:os'
import type { Setting } from '@icosa/settings'
import type { Config } from '../config.ts'
import { withDatabase } from '../database.ts'
import { examine } from '../doctor/examine.ts'
import { loadModules, unknownSettings } from '../services.ts'
import { platformSettings } from '../settings.ts'
import { hidden, withoutSecrets } from './secrets.ts'
import { facts } from './store.ts'

/** The state of an installation as JSON, for people who must not see its secrets or what its tenants stored. */
export async function reportOn(config: Config, version: string): Promise<string> {
  const settings = await allSettings()
  const report = {
    writtenAt: new Date().toISOString(),
    version,
    machine: machine(),
    settings: settingsIn(config, settings),
    unknownSettings: await unknownSettings(config.env, []),
    needs: await orProblem(async () =>
      (await examine(config, undefined)).map(({ remedy: _, purpose: __, ...needed }) => needed),
    ),
    database: await orProblem(() =>
      withDatabase(config, async (database) => {
        const entries = []
        for (const [name, read] of Object.entries(facts)) entries.push([name, await orProblem(() => read(database))])
        return Object.fromEntries(entries)
      }),
    ),
  }
  return withoutSecrets(JSON.stringify(report, null, 2), config.env, settings)
}

export async function allSettings(): Promise<Setting[]> {
  const modules = await loadModules()
  return [...platformSettings.settings, ...modules.flatMap(({ module }) => module.settings?.settings ?? [])]
}

const machine = () => ({
  host: hostname(),
  system: `${process.platform} ${release()} ${arch()}`,
  node: process.version,
  cpus: availableParallelism(),
  memoryBytes: totalmem(),
  freeMemoryBytes: freemem(),
  load: loadavg(),
  upSeconds: uptime(),
  user: process.getuid?.(),
})

const settingsIn = ({ env }: Config, settings: readonly Setting[]) =>
  Object.fromEntries(
    settings.flatMap(({ variable, secret }) => (env[variable] ? [[variable, secret ? hidden : env[variable]]] : [])),
  )

/** A report is needed most where something fails. */
async function orProblem<T>(read: () => Promise<T>): Promise<T | { readonly problem: string }> {
  try {
    return await read()
  } catch (error) {
    return { problem: (error as Error).message }
  }
}
