#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { parseArgs } from 'node:util'
import { advice } from './advice.ts'
import { type Command, print, remark, UsageError } from './command.ts'
import { readConfig } from './config.ts'

enableCompileCache() // halves the second start; what follows is loaded on demand, so it profits

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  dev: async () => (await import('./commands/dev.ts')).dev,
  serve: async () => (await import('./commands/serve.ts')).serve,
  worker: async () => (await import('./commands/serve.ts')).worker,
  migrate: async () => (await import('./commands/migrate.ts')).migrate,
  keys: async () => (await import('./commands/keys.ts')).keys,
  subscriptions: async () => (await import('./commands/subscriptions.ts')).subscriptions,
  token: async () => (await import('./commands/token.ts')).token,
  clients: async () => (await import('./commands/clients.ts')).clients,
  people: async () => (await import('./commands/people.ts')).people,
  podcasts: async () => (await import('./commands/podcasts.ts')).podcasts,
  events: async () => (await import('./commands/events.ts')).events,
  'signing-keys': async () => (await import('./commands/signing-keys.ts')).signingKeys,
  'master-key': async () => (await import('./commands/master-key.ts')).masterKey,
  trust: async () => (await import('./commands/trust.ts')).trust,
  clock: async () => (await import('./commands/clock.ts')).clock,
  reset: async () => (await import('./commands/reset.ts')).reset,
  operations: async () => (await import('./commands/operations.ts')).operations,
  openapi: async () => (await import('./commands/openapi.ts')).openapi,
}

async function help(): Promise<void> {
  print('icosa: twenty HTTP services as one platform\n')
  for (const load of Object.values(commands)) {
    const { usage, summary } = await load()
    print(`  icosa ${usage}\n      ${summary}`)
  }
  print('\nSettings come from the environment: see docs/configuration.md.')
}

async function main([name = 'help', ...rest]: readonly string[]): Promise<void> {
  if (name === 'help' || name === '--help' || name === '-h') return help()
  const load = commands[name]
  if (!load) throw new UsageError(`There is no command '${name}': \`icosa help\` lists them.`)
  const command = await load()
  const { values, positionals } = parse(command, rest)
  if (values.help === true) return print(`icosa ${command.usage}\n    ${command.summary}`)
  await command.run({
    words: positionals,
    flags: values as Readonly<Record<string, string | boolean | undefined>>,
    config: readConfig(process.env),
  })
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
  remark(`icosa: ${advice(error as Error) ?? (error as Error).stack}`)
  process.exitCode = 1
}
