import type { Service } from '@icosa/kernel'
import { type Facts, type ServiceModule, suggestion, UsageError } from '@icosa/module'
import { type Environment, type Group, type Mode, SettingsError, unknownVariables } from '@icosa/settings'
import { platformSettings } from './settings.ts'

/** A service of the specification. Without `load` it is not implemented yet, and returns 501 with its name. */
interface Listed {
  readonly letter: string
  readonly name: string
  readonly load?: () => Promise<{ readonly module: ServiceModule }>
  /** Types of the resources that it registers. */
  readonly types?: readonly string[]
  /** Types that cannot be backed up. */
  readonly notBackedUp?: readonly string[]
}

const listed: readonly Listed[] = [
  {
    letter: 'S1',
    name: 'identity-connect',
    load: () => import('@icosa/identity-connect/module'),
    types: ['identity-connect/clients'],
  },
  {
    letter: 'S2',
    name: 'contribution-collection',
    load: () => import('@icosa/contribution-collection/module'),
    types: ['contribution-collection/assignments'],
  },
  { letter: 'S3', name: 'unpack-analysis', load: () => import('@icosa/unpack-analysis/module') },
  { letter: 'S4', name: 'braille-translation', load: () => import('@icosa/braille-translation/module') },
  {
    letter: 'S5',
    name: 'podcast-directory',
    load: () => import('@icosa/podcast-directory/module'),
    types: ['podcast-directory/playlists'],
  },
  { letter: 'S6', name: 'robotics-statistics', load: () => import('@icosa/robotics-statistics/module') },
  {
    letter: 'L',
    name: 'language-authoring',
    load: () => import('@icosa/language-authoring/module'),
    types: ['language-authoring/apps'],
  },
  {
    letter: 'F',
    name: 'face-recognition',
    load: () => import('@icosa/face-recognition/module'),
    types: [
      ...['face-recognition/personGroups', 'face-recognition/largePersonGroups'],
      ...['face-recognition/faceLists', 'face-recognition/largeFaceLists'],
    ],
  },
  { letter: 'B', name: 'banking', load: () => import('@icosa/banking/module') },
  {
    letter: 'H',
    name: 'hardware-security-modules',
    load: () => import('@icosa/hardware-security-modules/module'),
    types: ['Vendor.HardwareSecurityModules/dedicatedHSMs'],
    notBackedUp: ['Vendor.HardwareSecurityModules/dedicatedHSMs'],
  },
  {
    letter: 'C',
    name: 'configuration-stores',
    load: () => import('@icosa/configuration-stores/module'),
    types: ['Vendor.AppConfiguration/configurationStores'],
  },
  { letter: 'D', name: 'api-diagnostics', load: () => import('@icosa/api-diagnostics/module') },
  {
    letter: 'V',
    name: 'sql-virtual-machines',
    load: () => import('@icosa/sql-virtual-machines/module'),
    types: ['Vendor.SqlVirtualMachine/sqlVirtualMachines', 'Vendor.SqlVirtualMachine/sqlVirtualMachineGroups'],
    notBackedUp: ['Vendor.SqlVirtualMachine/sqlVirtualMachineGroups'],
  },
  {
    letter: 'Q',
    name: 'sql-databases',
    load: () => import('@icosa/sql-databases/module'),
    types: ['Vendor.Sql/servers', 'Vendor.Sql/servers/databases', 'Vendor.Sql/servers/elasticPools'],
    notBackedUp: ['Vendor.Sql/servers', 'Vendor.Sql/servers/elasticPools'],
  },
  {
    letter: 'J',
    name: 'job-scheduler',
    load: () => import('@icosa/job-scheduler/module'),
    types: ['Vendor.Scheduler/jobCollections'],
  },
  {
    letter: 'G',
    name: 'functions',
    load: () => import('@icosa/functions/module'),
    types: ['cloudfunctions.googleapis.com/Function'],
  },
  {
    letter: 'M',
    name: 'voice-messaging',
    load: () => import('@icosa/voice-messaging/module'),
    types: ['AWS::SMSVOICE::ConfigurationSet'],
    notBackedUp: ['AWS::SMSVOICE::ConfigurationSet'],
  },
  {
    letter: 'R',
    name: 'resource-groups',
    load: () => import('@icosa/resource-groups/module'),
    types: ['AWS::ResourceGroups::Group'],
    notBackedUp: ['AWS::ResourceGroups::Group'],
  },
  {
    letter: 'T',
    name: 'event-detection',
    load: () => import('@icosa/event-detection/module'),
    types: ['AWS::IoTEvents::Input', 'AWS::IoTEvents::DetectorModel', 'AWS::IoTEvents::AlarmModel'],
  },
  {
    letter: 'K',
    name: 'backup',
    load: () => import('@icosa/backup/module'),
    types: ['AWS::Backup::BackupVault', 'AWS::Backup::BackupPlan'],
    notBackedUp: ['AWS::Backup::BackupVault', 'AWS::Backup::BackupPlan'],
  },
]

/** Resource types of all services, whichever a node runs. */
export const resourceTypes: readonly string[] = listed.flatMap(({ types = [] }) => types)

/** Resource types that can be backed up. */
export const backedUpTypes: readonly string[] = listed.flatMap(({ types = [], notBackedUp = [] }) =>
  types.filter((type) => !notBackedUp.includes(type)),
)

export const serviceNames: readonly string[] = listed.map(({ name }) => name)

export const unbuilt: readonly string[] = listed.filter(({ load }) => !load).map(({ name }) => name)

/** A service with its module loaded, but not created yet. */
export interface LoadedModule extends Omit<Listed, 'load'> {
  readonly module: ServiceModule
}

/**
 * Loads services by name or letter, such as `braille-translation,S5`. `*`, the default, selects all that are
 * implemented, `*,-functions` all but one. Throws on an unknown name.
 */
export function loadModules(requested?: string): Promise<readonly LoadedModule[]> {
  const words = (requested ?? '*').split(',').map((word) => word.trim())
  const named = words.filter((word) => word !== '*').map((word) => word.replace(/^-/, ''))
  const built = listed.flatMap(({ letter, name, load }) => (load ? { letter, name, load } : []))
  for (const word of named)
    if (!built.some(({ letter, name }) => name === word || letter === word))
      throw new UsageError(
        `There is no service '${word}'.${suggestion(
          word,
          built.map(({ name }) => name),
        )} \`icosa operations\` lists them.`,
      )
  const has = (...some: string[]) => some.some((word) => words.includes(word))
  const chosen = built.filter(({ letter, name }) => has('*', name, letter) && !has(`-${name}`, `-${letter}`))
  if (chosen.length === 0) throw new UsageError(`--services ${requested} leaves no service: \`*,-a\` is all but one.`)
  return Promise.all(chosen.map(async ({ letter, name, load }) => ({ letter, name, module: (await load()).module })))
}

export interface Surroundings extends Mode {
  readonly env: Environment
  readonly facts: Facts
  /** Refuse unknown API versions instead of warning about them. */
  readonly strictVersions?: boolean
}

/** Creates the services in the order of the specification; reports all invalid settings together. */
export async function createServices(
  modules: readonly LoadedModule[],
  { env, facts, strictVersions = false, ...mode }: Surroundings,
): Promise<readonly Service[]> {
  refuseWrongSettings(modules, env, mode)
  const platformInfo = { resourceTypes, ...facts }
  const created = await Promise.all(
    modules.map(({ module }) => module.create(settingsOf(module, env, mode), platformInfo)),
  )
  if (!strictVersions) return created
  const { strictService } = await import('@icosa/kernel')
  return created.map(strictService)
}

export function refuseWrongSettings(modules: readonly LoadedModule[], env: Environment, mode: Mode): void {
  refuse(modules.flatMap(({ module }) => module.settings?.problems(env, mode) ?? []))
}

/** Also refuses missing settings that are required outside development mode, all at once. */
export function refuseIncompleteSettings(modules: readonly LoadedModule[], env: Environment): void {
  const groups = modules.flatMap(({ module: { settings } }) => settings ?? [])
  const missing = [platformSettings, ...groups].flatMap((group) => group.missing(env))
  refuse([...new Set(missing), ...groups.flatMap((group) => group.problems(env))])
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new SettingsError(problems)
}

/**
 * Finds variables that look like settings but are none. Loads the other services only if the loaded ones do not know a
 * variable.
 */
export async function unknownSettings(env: Environment, loaded: readonly LoadedModule[]): Promise<string[]> {
  const among = (modules: readonly LoadedModule[]) =>
    unknownVariables(env, 'ICOSA_', [
      platformSettings,
      ...modules.flatMap(({ module: { settings } }): Group[] => (settings ? [settings] : [])),
    ])
  return among(loaded).length === 0 ? [] : among(await loadModules())
}

export const settingsOf = (module: ServiceModule, env: Environment, mode: Mode) => module.settings?.read(env, mode)

const defaultFacts: Facts = {
  baseUrl: 'http://127.0.0.1:4000',
  region: 'us-east-1',
  scratchDirectory: '.icosa',
  hasDevelopmentDatabase: false,
}

/** Every implemented service, with default settings. */
export async function allServices(facts: Partial<Facts> = {}, env: Environment = {}): Promise<readonly Service[]> {
  return createServices(await loadModules(), { env, facts: { ...defaultFacts, ...facts } })
}
