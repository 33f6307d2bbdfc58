import type { ServiceCommand, ServiceModule } from '@icosa/module'
import type { Command } from './command.ts'
import { factsOf } from './config.ts'
import { withDatabase } from './database.ts'
import { addressed } from './dev/instance.ts'
import { backedUpTypes, loadModules, settingsOf } from './services.ts'
import { vaultOf } from './vault.ts'

type Commands = Readonly<Record<string, () => Promise<Command>>>

/** The commands of all services, by name. */
export async function serviceCommands(): Promise<Commands> {
  const modules = await loadModules()
  return Object.fromEntries(
    modules.flatMap(({ module }) =>
      Object.entries(module.commands ?? {}).map(([name, load]) => [name, async () => withGiven(module, await load())]),
    ),
  )
}

/** Binds a service's command to its settings and to functions of the platform. */
function withGiven(module: ServiceModule, command: ServiceCommand): Command {
  return {
    ...command,
    run: ({ config, ...args }) =>
      command.run({
        ...args,
        settings: settingsOf(module, config.env, { development: config.databaseUrl === undefined }),
        facts: { ...factsOf(addressed(config)), backedUpTypes },
        withDatabase: (work) => withDatabase(config, work),
        openFetch: async () => (await import('@icosa/fetch')).guardedFetch({ allow: config.fetchAllow }),
        vaultOf: (database) => vaultOf(config, database),
        readPermissions: async (words) => (await import('./permissions.ts')).readPermissions(words),
      }),
  }
}
