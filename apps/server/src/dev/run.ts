import { type Faults, openFaults } from '@icosa/faults'
import { systemClock } from '@icosa/kernel'
import { print, remark, table } from '@icosa/module'
import type { Config } from '../config.ts'
import { type FoundDatabase, findDatabase } from '../database.ts'
import { askedToStop, endSoon, withPlatform } from '../node.ts'
import { openControl } from './control/server.ts'
import { type DevelopmentOptions, startDevelopment } from './development.ts'
import { developmentAccess, type Endpoint, endpointsOf } from './endpoints.ts'
import { announceInstance, keepLog } from './instance.ts'
import { devConfig } from './settings.ts'
import { snapshotsOf } from './snapshots/snapshots.ts'
import { localTls } from './tls.ts'

export interface DevRun extends Pick<DevelopmentOptions, 'api' | 'chosen' | 'key'> {
  readonly config: Config
  /** The database of the first start, on its way while other things are loaded. */
  readonly ready: Promise<FoundDatabase>
  readonly tls: boolean
  /** Whether it is announced to a program. */
  readonly json: boolean
}

/** Everything in one process, on a database that is prepared for it, until the process is asked to end. */
export async function runDev({ config, ready, tls, json, ...given }: DevRun): Promise<void> {
  await keepLog(config.dataDirectory)
  let first: Promise<FoundDatabase> | undefined = ready
  const openDatabase = () => {
    const found = first ?? findDatabase(config)
    first = undefined
    return found
  }
  const faults: Faults = openFaults(() => development.services)
  await using opened = new AsyncDisposableStack()
  opened.defer(endSoon)
  const development = await startDevelopment({
    ...given,
    around: (name) => faults.around(name),
    configure: () => devConfig(config),
    openDatabase,
    tls: tls ? await localTls(config.dataDirectory) : undefined,
    say: remark,
  })
  opened.defer(() => development.stop())
  const control = await openControl({ faults, snapshots: () => snapshotsOf(development, config) })
  opened.defer(() => control.close())
  const { url, services, database } = development
  const startedAt = systemClock.now().toISOString()
  opened.defer(announceInstance(config.dataDirectory, { url, startedAt, control: control.address }))
  const all = endpointsOf(withPlatform(services, 'virtual'), url, developmentAccess(given.key))
  announce(json, url, all, database.described)
  await askedToStop(remark)
}

function shown({ header, key, accessKeyId, secretAccessKey, region }: Endpoint['credentials']): string {
  if (accessKeyId) return `signed by ${accessKeyId} ${secretAccessKey} ${region}`
  return header ? `${header}: ${key}` : 'no credential'
}

/** How to call each API: a table for people, one line of JSON for programs. */
function announce(json: boolean, url: string, all: readonly Endpoint[], database: string) {
  const rows = all.map(({ service, name, url: at, credentials }) => ({ service, name, url: at, credentials }))
  const own = rows.filter(({ service }) => service !== null)
  const [platform] = rows.filter(({ service }) => service === null)
  if (json) return print(JSON.stringify({ url, services: own, platform }))

  const cells = rows.map(({ service, url: at, credentials }) => [service ?? '', at, shown(credentials)])
  print(`\nIcosa is ready at ${url}   (database: ${database})\n`)
  print(table(['', 'service', 'credential'], cells))
  print(
    '\nPress Ctrl-C to stop; your data will be there at the next start. `icosa clock` moves the clock, `icosa reset` deletes the data, `icosa snapshot` saves and restores it, `icosa faults` breaks calls on purpose.',
  )
}
