import { parseArgs } from 'node:util'
import { print, suggestion, text, UsageError } from '@icosa/module'
import { type Environment, SettingsError } from '@icosa/settings'
import manifest from '../package.json' with { type: 'json' }
import { auditedAction } from './audit/action.ts'
import type { Arguments, Command } from './command.ts'
import { commands } from './commands/index.ts'
import { type Config, readConfig } from './config.ts'

async function help(): Promise<void> {
  const { serviceCommands } = await import('./service-command.ts')
  print('icosa: twenty HTTP services as one platform\n')
  for (const load of Object.values({ ...commands, ...(await serviceCommands()) })) {
    const { usage, summary } = await load()
    print(`  icosa ${usage}\n      ${summary}`)
  }
  print(
    '\nEvery command takes --data FOLDER, the data folder of `icosa dev`, --url ADDRESS, the public address of the platform, and --as NAME, your name in the audit log.',
  )
  print('Settings come from the environment: see docs/operate/configuration.md.')
}

const helpOf = ({ usage, summary }: Command) => print(`icosa ${usage}\n    ${summary}`)

/** Runs one `icosa` command line. */
export async function main([name = 'help', ...rest]: readonly string[], env: Environment): Promise<void> {
  if (name === 'help' && rest[0] !== undefined) return helpOf(await commandOf(rest[0]))
  if (name === 'help' || name === '--help' || name === '-h') return help()
  if (name === '--version' || name === '-v') return print(manifest.version)
  const command = await commandOf(name)
  const { values, positionals } = parse(command, rest)
  if (values.help === true) return helpOf(command)
  const flags = values as Arguments['flags']
  const flagValues = {
    ICOSA_DATA: text(flags, 'data'),
    ICOSA_PUBLIC_URL: text(flags, 'url'),
    ICOSA_OPERATOR: text(flags, 'as'),
  }
  const setFlags = Object.entries(flagValues).filter(([, value]) => value !== undefined)
  const config = await configOf({ ...env, ...Object.fromEntries(setFlags) })
  const action = auditedAction(command, positionals)
  const act = action && (await import('./audit/act.ts')).actOf(action, flags, config)
  await command.run({ words: positionals, flags, note: (fact) => act?.note(fact), config: { ...config, act } })
}

async function commandOf(name: string): Promise<Command> {
  const own = commands[name]
  if (own) return own()
  const { serviceCommands } = await import('./service-command.ts')
  const others = await serviceCommands()
  const load = others[name]
  if (load) return load()
  const hint = suggestion(name, Object.keys({ ...commands, ...others }))
  throw new UsageError(`There is no command '${name}'.${hint} \`icosa help\` lists them.`)
}

/** Reports invalid platform settings together with those of all services. */
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

/** Flags that every command accepts. */
const everywhere = {
  data: { type: 'string' },
  url: { type: 'string' },
  as: { type: 'string' },
  help: { type: 'boolean' },
} as const

function parse(command: Command, args: readonly string[]) {
  const options = { ...command.flags, ...everywhere }
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true })
  } catch (error) {
    const { message } = error as Error
    const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? []
    const names = Object.keys(options).map((name) => `--${name}`)
    const explanation =
      unknown === undefined ? message : `There is no option '${unknown}'.${suggestion(unknown, names)}`
    throw new UsageError(`${explanation}\nUsage: icosa ${command.usage}`)
  }
}
