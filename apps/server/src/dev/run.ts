import { type Faults, openFaults } from '@icosa/faults'
import { systemClock } from '@icosa/kernel'
import { print, progress, remark } from '@icosa/module'
import { createLog } from '@icosa/telemetry'
import type { Config } from '../config.ts'
import { type FoundDatabase, findDatabase } from '../database.ts'
import { examineApart, type LackingWatch, watchLacking } from '../doctor/lacking.ts'
import { withPlatform } from '../node.ts'
import { askedToStop, endSoon, outliveOutages } from '../process.ts'
import { controlsOf } from './control/controls.ts'
import { openControl } from './control/server.ts'
import { type Development, type DevelopmentOptions, startDevelopment } from './development.ts'
import { developmentAccess, type Endpoint, endpointsOf } from './endpoints.ts'
import { announceInstance, keepLog } from './instance.ts'
import { devConfig } from './settings.ts'
import { type Snapshots, snapshotsOf } from './snapshots/snapshots.ts'
import { localTls } from './tls.ts'

export interface DevRun extends Pick<DevelopmentOptions, 'api' | 'chosen' | 'key'> {
  readonly config: Config
  /** Database of the first start, launched while modules are loaded. */
  readonly ready: Promise<FoundDatabase>
  readonly tls: boolean
  /** Whether to print JSON, for programs. */
  readonly json: boolean
}

/** Runs API and worker in one process, until a termination signal. */
export async function runDev({ config, ready, tls, json, ...options }: DevRun): Promise<void> {
  await keepLog(config.dataDirectory)
  let first: Promise<FoundDatabase> | undefined = ready
  const openDatabase = () => {
    const location = first ?? findDatabase(config)
    first = undefined
    return location
  }
  const faults: Faults = openFaults(() => development.services)
  let watch: LackingWatch | undefined
  await using opened = new AsyncDisposableStack()
  opened.defer(endSoon)
  const development = await startDevelopment({
    ...options,
    faultInjector: (name) => faults.injector(name),
    controls: controlsOf({
      faults,
      key: options.key,
      snapshots: () => snapshots(),
      development: () => development,
    }),
    configure: () => devConfig(config),
    openDatabase,
    tls: tls ? await localTls(config.dataDirectory) : undefined,
    lacking: () => watch?.lacking() ?? {},
    unmetNeeds: () => watch?.unmetNeeds() ?? [],
    say: remark,
    progress,
    log: createLog({ level: config.logLevel, destination: process.stderr }),
  })
  opened.defer(() => development.stop())
  let own: Snapshots | undefined
  const snapshots = () => {
    own ??= snapshotsOf(development, config)
    return own
  }
  const endpoints = ({ services, url }: Development) =>
    endpointsOf(withPlatform(services, 'virtual'), url, developmentAccess(options.key))
  const control = await openControl({
    faults,
    snapshots,
    endpoints: () => endpoints(development),
  })
  opened.defer(() => control.close())
  const { url, database } = development
  const startedAt = systemClock.now().toISOString()
  opened.defer(announceInstance(config.dataDirectory, { url, startedAt, control: control.address }))
  announce(json, url, options.key, endpoints(development), database.described)
  const names = development.services.map(({ name }) => name)
  if (!json) watch = watchLacking(examineApart(names, config.env), remark, 0)
  opened.defer(() => watch?.close())
  outliveOutages(remark)
  await askedToStop(remark)
}

/** Prints how to call it: a few lines of text, or one line of JSON with every API. */
export function announce(
  json: boolean,
  url: string,
  key: string,
  all: readonly Endpoint[],
  database: string,
  ending = '  Ctrl-C or `icosa stop` ends it; its data stays.',
) {
  const rows = all.map(({ service, name, url: at, credentials }) => ({ service, name, url: at, credentials }))
  const own = rows.filter(({ service }) => service !== null)
  const [platform] = rows.filter(({ service }) => service === null)
  if (json) return print(JSON.stringify({ url, services: own, platform }))

  print(`\nIcosa is ready at ${url} (database: ${database})`)
  print(`  Its key is ${key}: \`icosa status --all\` lists every API with its address and credential.`)
  print(`  Open ${url} in a browser: the console, first calls, the guides.`)
  print(ending)
}
