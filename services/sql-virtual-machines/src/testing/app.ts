import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Service } from '@icosa/kernel'
import { startTestApp, type TestApp } from '@icosa/testing'
import { killAll } from '../hosting/tree.ts'
import { type MachinesSettings, sqlVirtualMachines } from '../index.ts'
import { settings } from '../settings.ts'

/** Distinct ports for each app of a test, below those that the system allocates. */
export function somePorts(): MachinesSettings['ports'] {
  const first = 20_000 + (randomBytes(2).readUInt16BE() % 120) * 100
  return { first, last: first + 99 }
}

export const testSettings = (folder: string, more: Partial<MachinesSettings> = {}): MachinesSettings => ({
  ...settings.read({}),
  offersRoom: true,
  memoryBytes: 16 * 1024 ** 3,
  diskBytes: 100_000 * 1024 ** 3,
  ports: somePorts(),
  folder,
  ...more,
})

/** Without a node that runs machines: for tests of rows only. */
export const testService = (): Service => sqlVirtualMachines({ ...testSettings('/nowhere'), offersRoom: false })

export interface MachinesApp extends TestApp {
  readonly folder: string
  readonly settings: MachinesSettings
}

export async function machinesFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'icosa-vm-'))
  await chmod(path, 0o711)
  return {
    path,
    async [Symbol.asyncDispose]() {
      await killAll(path)
      await rm(path, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** An app whose node runs machines, which are removed with it. */
export async function startMachinesApp(more: Partial<MachinesSettings> = {}): Promise<MachinesApp> {
  const folder = more.folder === undefined ? await machinesFolder() : undefined
  const appSettings = testSettings(folder?.path ?? (more.folder as string), more)
  const app = await startTestApp(sqlVirtualMachines(appSettings))
  return {
    ...app,
    folder: appSettings.folder,
    settings: appSettings,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await folder?.[Symbol.asyncDispose]()
    },
  }
}
