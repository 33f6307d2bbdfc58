import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFaults } from '@icosa/faults'
import { suggestion } from '@icosa/module'
import { createLog } from '@icosa/telemetry'
import { chooseServices } from '../choose.ts'
import { type Config, readConfig } from '../config.ts'
import { findDatabase } from '../database.ts'
import { controlsOf } from '../dev/control/controls.ts'
import { type Development, prepareDevelopment, silentLog, startDevelopment } from '../dev/development.ts'
import { freePort } from '../dev/port.ts'
import { devConfig, devKey } from '../dev/settings.ts'
import { snapshotsOf } from '../dev/snapshots/snapshots.ts'
import { withPlatform } from '../node.ts'
import { atStart, openApp } from './app.ts'
import { createDatabase } from './database.ts'
import { folderPrefix, removeLeftovers } from './leftovers.ts'
import { sow } from './seeds.ts'
import { letPass, type Template, templateFor } from './template.ts'
import type { Icosa, Start, StartOptions } from './types.ts'

const host = '127.0.0.1'
const silently = () => {}

export const startInstance: Start = async (options = {}) => {
  refuseUnknown(options)
  const { app, template } = await openInstance(options)
  try {
    if (options.seeds) await sow(options.seeds, app)
    // Without seeds, the state after the start is that of the template.
    if (options.databaseUrl === undefined && (options.seeds || !template)) await app.snapshot(atStart)
    return app
  } catch (error) {
    await app.close()
    throw error
  }
}

const optionNames: Readonly<Record<keyof StartOptions, true>> = {
  ...{ services: true, seeds: true, port: true, env: true, databaseUrl: true, log: true },
}

function refuseUnknown(options: StartOptions): void {
  const names = Object.keys(optionNames)
  for (const name of Object.keys(options))
    if (!names.includes(name))
      throw new Error(`\`start\` has no option '${name}'.${suggestion(name, names)} It has ${names.join(', ')}.`)
}

/** An instance with its internals, for `icosa dev --temporary` and our own tests. */
export interface Opened {
  readonly app: Icosa
  readonly development: Development
  readonly config: Config
  readonly template: Template | undefined
}

export async function openInstance(options: StartOptions): Promise<Opened> {
  const { services, databaseUrl, log } = options
  await removeLeftovers()
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`))
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const own = databaseUrl === undefined ? undefined : await createDatabase(databaseUrl)
  opened.defer(() => own?.drop())
  const env = { ...options.env, ICOSA_DATA: folder, ...(own && { DATABASE_URL: own.url }) }
  const requested = services?.join(',')
  const template = own || isPlaced(env) ? undefined : await openTemplate(requested)
  await template?.copyTo(folder)
  const configure = async () => {
    await letPass(folder) // a copied template has its own mode
    return devConfig(readConfig(env, { development: true }))
  }
  const config = await configure()
  const key = await devKey(config, host)
  const faults = openFaults(() => development.services)
  const destination = log && { write: (line: string) => log(line) }

  async function listen(port: number): Promise<Development> {
    const api = { host, port }
    const publicUrls = [`http://${host}:${port}`]
    return startDevelopment({
      configure,
      api,
      chosen: await chooseServices(requested, { ...config, ...api, publicUrls }, silently),
      key,
      openDatabase: () => findDatabase(config, { onProgress: silently, throwaway: true }),
      log: destination ? createLog({ level: config.logLevel, destination }) : silentLog(),
      faultInjector: (name) => faults.injector(name),
      controls: controlsOf({
        faults,
        key,
        snapshots: () => snapshotsOf(development, config),
        development: () => development,
      }),
      say: silently,
      isPrepared: template !== undefined,
    })
  }

  /** Retries: another process may take the port before it is used. */
  async function listenSomewhere(attempts = 3): Promise<Development> {
    try {
      return await listen(options.port ?? (await freePort(host, 0)))
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (isTaken && options.port !== undefined)
        throw new Error(`Port ${options.port} is in use: leave \`port\` out for any free one.`, { cause: error })
      if (!isTaken || attempts === 0) throw error
      return listenSomewhere(attempts - 1)
    }
  }

  const development = await listenSomewhere()
  opened.defer(() => development.stop({ discarding: true })) // its folder or database is deleted as well
  const app = await openApp({ development, faults, config, key, template, isOnServer: own !== undefined }, opened)
  return { app, development, config, template }
}

/** Whether keys or blobs are outside the data folder, which a template cannot cover. */
const isPlaced = (env: Readonly<Record<string, string>>) =>
  env.ICOSA_MASTER_KEY !== undefined || env.ICOSA_BLOBS !== undefined

/** Opens the template of a data folder with a database prepared for these services. */
async function openTemplate(requested: string | undefined): Promise<Template | undefined> {
  const configOf = (folder: string) => readConfig({ ICOSA_DATA: folder }, { development: true })
  const outline = await (await chooseServices(requested, configOf('.'), silently)).outline()
  return templateFor(withPlatform(outline, 'virtual'), async (folder) => {
    const config = await devConfig(configOf(folder))
    const chosen = await chooseServices(requested, config, silently)
    const database = await findDatabase(config, { onProgress: silently, throwaway: true })
    try {
      const created = await chosen.create(Promise.resolve(database.url))
      await prepareDevelopment(database.url, created, config, { key: await devKey(config, host), say: silently })
    } finally {
      await database.close()
    }
  })
}
