import { randomUUID } from 'node:crypto'
import {
  type Backup,
  Failure,
  invalid,
  type JobContext,
  notFound,
  paramsReader,
  type RestoreMetadata,
  type RestoreRequest,
} from '@icosa/kernel'
import { newPassword } from '@icosa/tokens/passwords/scram'
import type { ImageSku } from '../api/contract.ts'
import { names } from '../api/contract.ts'
import * as groups from '../groups/store.ts'
import { machineId, machineType, readMachineId } from '../ids.ts'
import * as machines from '../machines/store.ts'
import { entryOf } from '../machines/view.ts'
import { imageOffer } from '../names.ts'
import type { MachineJobs } from '../provisioning/jobs.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { openGroup, openMachine, sealMachine } from '../secrets.ts'
import { sizes } from '../sizes.ts'
import { backupWindow } from '../windows.ts'
import { busy, type Work } from '../work.ts'
import { dump, load, type SignIn } from './programs.ts'

const locationKeys = ['subscriptionId', 'resourceGroupName', 'sqlVirtualMachineName'] as const
const allKeys: readonly string[] = [...locationKeys, 'location', 'sqlImageSku']
const readNames = paramsReader(names)
const defaultRetentionDays = 30

/** Backs up the database `main` of a machine, and restores it into a new machine outside of any group. */
export function machineBackup({ create, remove }: Pick<MachineJobs, 'create' | 'remove'>): Backup<ServiceRuntime> {
  return {
    type: machineType,

    async read(id, context) {
      const row = await getMachine(id, context)
      if (row.state !== 'Succeeded') busy('machine', row.sqlVirtualMachineName, row.state)
      const { subscriptionId, resourceGroupName, sqlVirtualMachineName, location, sku: sqlImageSku } = row
      const metadata = { subscriptionId, resourceGroupName, sqlVirtualMachineName, location, sqlImageSku }
      return { content: dump(await signInTo(row, context), context.signal), metadata }
    },

    async restore(request, context) {
      const row = await insertOnce(request, context)
      const work = { id: row.id, work: row.work }
      try {
        const finish = await create.run(work, context)
        const machine = (await machines.findById(context.db, row.id)) ?? notFound('machine', row.sqlVirtualMachineName)
        await load(await signInTo(machine, context), request.content, context.signal)
        if (finish) await context.transaction(finish)
        return machineId(row)
      } catch (error) {
        if (!context.signal.aborted) await removeLater(row, context)
        throw error
      }
    },

    trial: (metadata, id) => ({ ...metadata, sqlVirtualMachineName: `restored-${id}` }),
    remove: async (id, context) => removeLater(await getMachine(id, context), context),

    async due(db, now) {
      const rows = await machines.withSetting(db, 'autoBackupSettings')
      return rows.flatMap((row) => {
        const { autoBackupSettings = {} } = row.settings
        const since = backupWindow(autoBackupSettings, row.backupsSetAt ?? row.createdAt, now)
        const keepDays = autoBackupSettings.retentionPeriod ?? defaultRetentionDays
        return since ? [{ tenant: row.tenant, id: machineId(row), since, keepDays }] : []
      })
    },
  }

  async function removeLater({ id }: machines.MachineRow, context: JobContext<ServiceRuntime>): Promise<void> {
    const work: Work = { id, work: randomUUID() }
    await context.transaction(async (db, queue) => {
      if (await machines.begin(db, work, 'Deleting', work.work)) await queue.enqueue(remove, work)
    })
  }
}

async function getMachine(id: string, { db, tenant }: JobContext<ServiceRuntime>): Promise<machines.MachineRow> {
  const scope = readMachineId(id)
  return (await machines.find(db, tenant, scope)) ?? notFound('SQL virtual machine', scope.sqlVirtualMachineName)
}

async function signInTo(row: machines.MachineRow, { db, tenantVault }: JobContext<ServiceRuntime>): Promise<SignIn> {
  const { instance, cluster } = row
  if (!instance) busy('machine', row.sqlVirtualMachineName, row.state)
  const group = cluster === null ? undefined : await groups.findById(db, cluster)
  const vault = await tenantVault()
  const { admin } = group ? openGroup(vault, group.id, group.secrets) : openMachine(vault, row.id, row.secrets)
  return { host: instance.host, port: instance.port, password: admin }
}

function placeIn(metadata: RestoreMetadata): machines.MachineScope {
  const unknown = Object.keys(metadata).find((key) => !allKeys.includes(key))
  if (unknown) invalid([{ at: `Metadata/${unknown}`, message: `is unknown: a machine has ${allKeys.join(', ')}` }])
  const missing = locationKeys.find((key) => !metadata[key])
  if (missing) invalid([{ at: `Metadata/${missing}`, message: 'is required' }])
  const { subscriptionId = '', resourceGroupName = '', sqlVirtualMachineName = '' } = metadata
  return readNames({ subscriptionId, resourceGroupName, sqlVirtualMachineName })
}

function skuIn({ sqlImageSku = 'Developer' }: RestoreMetadata): ImageSku {
  const sku = (Object.keys(sizes) as ImageSku[]).find((name) => name === sqlImageSku)
  return sku ?? invalid([{ at: 'Metadata/sqlImageSku', message: `must be one of ${Object.keys(sizes).join(', ')}` }])
}

/** Inserts the machine, or continues with the row that a killed worker left. */
async function insertOnce(
  { id, metadata, tags }: RestoreRequest,
  context: JobContext<ServiceRuntime>,
): Promise<machines.MachineRow> {
  const scope = placeIn(metadata)
  const sku = skuIn(metadata)
  const { tenant, clock } = context
  const vault = await context.tenantVault()
  return context.transaction(async (db, _, resources) => {
    const existing = await machines.findLocked(db, tenant, scope)
    if (existing?.id === id) return existing
    if (existing)
      throw new Failure(
        'alreadyExists',
        `A machine '${scope.sqlVirtualMachineName}' already exists: choose another name.`,
      )
    const row = await machines.insert(db, {
      ...scope,
      tenant,
      id,
      cluster: null,
      location: metadata.location ?? 'global',
      tags,
      virtualMachine: null,
      license: null,
      management: 'Full',
      offer: imageOffer,
      sku,
      settings: {},
      secrets: sealMachine(vault, id, { admin: newPassword() }),
      state: 'Creating',
      work: randomUUID(),
      operation: id,
      createdAt: clock.now(),
    })
    await resources.put(entryOf(row))
    return row
  })
}
