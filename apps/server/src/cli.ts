#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { endWithReader, print, remark, suggestion, text, UsageError } from '@icosa/module'
import { type Environment, SettingsError } from '@icosa/settings'
import manifest from '../package.json' with { type: 'json' }
import type { Arguments, Command } from './command.ts'
import { type Config, readConfig } from './config.ts'

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  dev: async () => (await import('./commands/development/dev.ts')).dev,
  status: async () => (await import('./commands/development/instance.ts')).status,
  stop: async () => (await import('./commands/development/instance.ts')).stop,
  logs: async () => (await import('./commands/development/instance.ts')).logs,
  serve: async () => (await import('./commands/operation/serve.ts')).serve,
  worker: async () => (await import('./commands/operation/serve.ts')).worker,
  migrate: async () => (await import('./commands/operation/migrate.ts')).migrate,
  keys: async () => (await import('./commands/access/keys.ts')).keys,
  tenants: async () => (await import('./commands/access/tenants.ts')).tenants,
  subscriptions: async () => (await import('./commands/access/subscriptions.ts')).subscriptions,
  token: async () => (await import('./commands/access/token.ts')).token,
  'signing-keys': async () => (await import('./commands/access/signing-keys.ts')).signingKeys,
  'master-key': async () => (await import('./commands/access/master-key.ts')).masterKey,
  audit: async () => (await import('./commands/operation/audit.ts')).audit,
  trust: async () => (await import('./commands/development/trust.ts')).trust,
  clock: async () => (await import('./commands/development/clock.ts')).clock,
  reset: async () => (await import('./commands/development/reset.ts')).reset,
  snapshot: async () => (await import('./commands/development/snapshot.ts')).snapshot,
  faults: async () => (await import('./commands/development/faults.ts')).faults,
  operations: async () => (await import('./commands/reference/operations.ts')).operations,
  configuration: async () => (await import('./commands/reference/configuration.ts')).configuration,
  absent: async () => (await import('./commands/reference/absent.ts')).absent,
  doctor: async () => (await import('./commands/operation/doctor.ts')).doctor,
  openapi: async () => (await import('./commands/reference/openapi.ts')).openapi,
}

async function help(): Promise<void> {
  const { serviceCommands } = await import('./service-command.ts')
  print('icosa: twenty HTTP services as one platform\n')
  for (const load of Object.values({ ...commands, ...(await serviceCommands()) })) {
    const { usage, summary } = await load()
    print(`  icosa ${usage}\n      ${summary}`)
  }
  print(
    '\nEvery command takes --data FOLDER, where `icosa dev` keeps its data, and --url ADDRESS, where callers reach the platform.',
  )
  print('Settings come from the environment: see docs/configuration.md.')
}

async function main([name = 'help', ...rest]: readonly string[]): Promise<void> {
  if (name === 'help' || name === '--help' || name === '-h') return help()
  if (name === '--version' || name === '-v') return print(manifest.version)
  const command = await commandOf(name)
  const { values, positionals } = parse(command, rest)
  if (values.help === true) return print(`icosa ${command.usage}\n    ${command.summary}`)
  const flags = values as Arguments['flags']
  const said = { ICOSA_DATA: text(flags, 'data'), ICOSA_PUBLIC_URL: text(flags, 'url') }
  const given = Object.entries(said).filter(([, value]) => value !== undefined)
  const config = await configOf({ ...process.env, ...Object.fromEntries(given) })
  await command.run({ words: positionals, flags, config })
}

async function commandOf(name: string): Promise<Command> {
  const own = commands[name]
  if (own) return own()
  const { serviceCommands } = await import('./service-command.ts')
  const others = await serviceCommands()
  const load = others[name]
  if (load) return load()
  const meant = suggestion(name, Object.keys({ ...commands, ...others }))
  throw new UsageError(`There is no command '${name}'.${meant} \`icosa help\` lists them.`)
}

/** If something is wrong with the platform's settings, what is wrong with those of services is said with it. */
async function configOf(env: Environment): Promise<Config> {
  try {
    return readConfig(env)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const { loadModules } = await import('./services.ts')
    const others = (await loadModules()).flatMap(({ module }) => module.settings?.problems(env) ?? [])
    throw new SettingsError([...error.problems, ...others])
  }
}

function parse(command: Command, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { ...command.flags, data: { type: 'string' }, url: { type: 'string' }, help: { type: 'boolean' } },
      allowPositionals: true,
      allowNegative: true,
    })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\nUsage: icosa ${command.usage}`)
  }
}

endWithReader()
try {
  await main(process.argv.slice(2))
} catch (error) {
  const { advice } = await import('./advice.ts')
  remark(`icosa: ${advice(error as Error) ?? (error as Error).stack}`)
  process.exitCode = 1
}
