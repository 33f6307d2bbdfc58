import { apiDiagnostics } from '@icosa/api-diagnostics'
import { brailleTranslation } from '@icosa/braille-translation'
import { configurationStores } from '@icosa/configuration-stores'
import { defaultSettings as eventDefaults, eventDetection } from '@icosa/event-detection'
import { defaultSettings, type IdentitySettings, identityConnect } from '@icosa/identity-connect'
import { jobScheduler, type SchedulerSettings, defaultSettings as schedulerDefaults } from '@icosa/job-scheduler'
import type { Service } from '@icosa/kernel'
import { type DirectorySettings, defaultSettings as podcastDefaults, podcastDirectory } from '@icosa/podcast-directory'
import { resourceGroups } from '@icosa/resource-groups'
import { type SqlSettings, sqlDatabases, defaultSettings as sqlDefaults } from '@icosa/sql-databases'
import { type VoiceSettings, defaultSettings as voiceDefaults, voiceMessaging } from '@icosa/voice-messaging'

/** What an operator decides about single services. */
export interface ServiceSettings {
  readonly identity: IdentitySettings
  /** The address under which callers know the platform, for addresses that are part of a resource. */
  readonly baseUrl: string
  /** The region of the services whose requests are signed. */
  readonly region: string
  /** Refuse versions of an API that we do not know, instead of warning of them. */
  readonly strictVersions?: boolean
  /** The brokers to which scheduled messages go. */
  readonly scheduler?: SchedulerSettings
  /** Where events of resource groups go; the log if not given. */
  readonly groupEventsUrl?: string | undefined
  /** Where deliveries of detectors and alarms go. */
  readonly eventTargets?: Readonly<Record<string, string>> | undefined
  /** The line by which calls go out, and where their events go. */
  readonly voice?: VoiceSettings | undefined
  readonly podcasts?: Partial<DirectorySettings> | undefined
  /** The PostgreSQL on which databases are made, as a role that may do so. */
  readonly sqlUrl?: string | undefined
  /** Where callers reach it, if that is another address. */
  readonly sqlAddress?: string | undefined
  /** What tenants have on it. */
  readonly sql?: SqlSettings | undefined
}

/** Every service of the platform that is built, in the order of the specification. */
export function servicesWith(settings: ServiceSettings): readonly Service[] {
  const { identity, baseUrl, region, strictVersions = false, scheduler = schedulerDefaults } = settings
  const { groupEventsUrl, voice = voiceDefaults, eventTargets = {}, podcasts } = settings
  const all = [
    identityConnect(identity),
    brailleTranslation,
    podcastDirectory({ ...podcastDefaults, ...podcasts, publicUrl: `${baseUrl}/podcast-directory` }),
    configurationStores({ endpoint: `${baseUrl}/configuration-stores/stores/{name}` }),
    apiDiagnostics,
    sqlDatabases(sqlSettingsOf(settings)),
    jobScheduler(scheduler),
    voiceMessaging({ ...voice, region }),
    resourceGroups({ region, eventsUrl: groupEventsUrl }),
    eventDetection({ ...eventDefaults, region, targets: eventTargets }),
  ]
  return strictVersions ? all.map((one) => ({ ...one, dialect: one.dialect.strict?.() ?? one.dialect })) : all
}

export const sqlSettingsOf = ({ sql = sqlDefaults, sqlUrl, sqlAddress }: Partial<ServiceSettings>): SqlSettings => ({
  ...sql,
  adminUrl: sqlUrl,
  address: sqlAddress,
})

export const defaultServiceSettings: ServiceSettings = {
  identity: defaultSettings,
  baseUrl: 'http://127.0.0.1:4000',
  region: 'us-east-1',
}

export const services = servicesWith(defaultServiceSettings)

/** Services of the specification that are not built yet. They answer 501 with their name. */
export const unbuilt: readonly string[] = [
  'contribution-collection',
  'unpack-analysis',
  'robotics-statistics',
  'language-authoring',
  'face-recognition',
  'banking',
  'hardware-security-modules',
  'sql-virtual-machines',
  'functions',
  'backup',
]
