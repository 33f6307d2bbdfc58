#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { print, remark, UsageError } from '@icosa/module'
import { type Environment, SettingsError } from '@icosa/settings'
import type { Command } from './command.ts'
import { type Config, readConfig } from './config.ts'

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  dev: async () => (await import('./commands/development/dev.ts')).dev,
  serve: async () => (await import('./commands/operation/serve.ts')).serve,
  worker: async () => (await import('./commands/operation/serve.ts')).worker,
  migrate: async () => (await import('./commands/operation/migrate.ts')).migrate,
  keys: async () => (await import('./commands/access/keys.ts')).keys,
  subscriptions: async () => (await import('./commands/access/subscriptions.ts')).subscriptions,
  token: async () => (await import('./commands/access/token.ts')).token,
  'signing-keys': async () => (await import('./commands/access/signing-keys.ts')).signingKeys,
  'master-key': async () => (await import('./commands/access/master-key.ts')).masterKey,
  trust: async () => (await import('./commands/development/trust.ts')).trust,
  clock: async () => (await import('./commands/development/clock.ts')).clock,
  reset: async () => (await import('./commands/development/reset.ts')).reset,
  operations: async () => (await import('./commands/reference/operations.ts')).operations,
  configuration: async () => (await import('./commands/reference/configuration.ts')).configuration,
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
  print('\nSettings come from the environment: see docs/configuration.md.')
}

async function main([name = 'help', ...rest]: readonly string[]): Promise<void> {
  if (name === 'help' || name === '--help' || name === '-h') return help()
  const command = await commandOf(name)
  const { values, positionals } = parse(command, rest)
  if (values.help === true) return print(`icosa ${command.usage}\n    ${command.summary}`)
  await command.run({
    words: positionals,
    flags: values as Readonly<Record<string, string | boolean | undefined>>,
    config: await configOf(process.env),
  })
}

async function commandOf(name: string): Promise<Command> {
  const own = commands[name]
  if (own) return own()
  const { serviceCommands } = await import('./service-command.ts')
  const load = (await serviceCommands())[name]
  if (!load) throw new UsageError(`There is no command '${name}': \`icosa help\` lists them.`)
  return load()
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
      options: { ...command.flags, help: { type: 'boolean' } },
      allowPositionals: true,
      allowNegative: true,
    })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\nUsage: icosa ${command.usage}`)
  }
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  const { advice } = await import('./advice.ts')
  remark(`icosa: ${advice(error as Error) ?? (error as Error).stack}`)
  process.exitCode = 1
}
