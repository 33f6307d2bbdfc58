import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Database } from '@icosa/kernel'
import { print, remark, suggestion, text, UsageError } from '@icosa/module'
import { exportTenant, importTenant, listTenants, newExportKey, toExport } from '@icosa/platform/tenants'
import { blobsFor } from '../../blobs.ts'
import type { Arguments } from '../../command.ts'
import { withDatabase } from '../../database.ts'
import { serviceNames } from '../../services.ts'
import { tenanciesOf } from '../../tenants/services.ts'
import { allSealed, vaultOf } from '../../vault.ts'

/** Name of the variable with the key of an export's secrets: as an argument, other users of the machine could see it. */
const keyVariable = 'ICOSA_EXPORT_KEY'

export async function exportToFolder(args: Arguments): Promise<void> {
  const tenant = tenantOf(args)
  const out = text(args.flags, 'out')
  if (out === undefined) throw new UsageError('Where to? Add --out FOLDER, which must not exist yet.')
  const key = args.flags['with-secrets'] === true ? newExportKey() : undefined
  const done = await withDatabase(args.config, async (database) => {
    await demandKnown(database, tenant)
    const write = await folderWriter(out)
    const blobs = await blobsFor(args.config)
    const services = (await tenanciesOf(args.config, '', database, blobs)).map(({ service }) => service)
    const reseal =
      key === undefined ? undefined : toExport(await (await vaultOf(args.config, database)).of(tenant), key)
    return exportTenant(tenant, { database, blobs, services, sealed: await allSealed(), reseal, write })
  })
  const counts = `Wrote ${done.rows} rows and ${done.blobs} blobs of ${tenant} to ${out}.`
  if (key === undefined) return remark(`${counts} Sealed secrets are left out.`)
  print(key)
  remark(
    `${counts} Its secrets are sealed with this key, which is shown only once: \`${keyVariable}=... icosa tenants import\`.`,
  )
}

export async function importFromFolder({ words, flags, config, note }: Arguments): Promise<void> {
  const folder = words[1]
  if (folder === undefined) throw new UsageError('Which one? Name the folder of an export.')
  const key = config.env[keyVariable]
  if (key === undefined)
    throw new UsageError(`Set ${keyVariable} to the key that \`icosa tenants export\` has printed.`)
  const without = text(flags, 'without')?.split(',') ?? []
  for (const service of without)
    if (!serviceNames.includes(service))
      throw new UsageError(`There is no service '${service}'.${suggestion(service, serviceNames)}`)
  const done = await withDatabase(config, async (database, url) => {
    const blobs = await blobsFor(config)
    const services = await tenanciesOf(config, url, database, blobs)
    const vault = await vaultOf(config, database)
    const read = (path: string) => createReadStream(fileOf(folder, path))
    return importTenant({ database, blobs, services, without, sealed: await allSealed(), vault, exportKey: key, read })
  })
  note({ tenant: done.tenant })
  remark(`Imported ${done.tenant}: ${done.rows} rows, ${done.blobs} blobs.`)
}

export function tenantOf({ words, note }: Arguments): string {
  const tenant = words[1]
  if (tenant === undefined) throw new UsageError('Which one? `icosa tenants list` shows them.')
  note({ tenant })
  return tenant
}

export async function demandKnown(database: Database, tenant: string): Promise<void> {
  if ((await listTenants(database, tenant)).length === 0)
    throw new UsageError(`There is no tenant '${tenant}': \`icosa tenants list\` shows them.`)
}

/** Where a file of an export is in its folder. */
const fileOf = (folder: string, path: string) =>
  join(folder, ...path.split('/').map((part) => (/^\.*$/.test(part) ? part.replaceAll('.', '%2E') || '%' : part)))

/** Returns a function that writes files below a new folder, readable only by its owner. */
async function folderWriter(folder: string) {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new UsageError(`${folder} already exists: name a new folder.`) : error
  })
  return async (path: string, content: AsyncIterable<string | Uint8Array>): Promise<void> => {
    const file = fileOf(folder, path)
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await pipeline(Readable.from(content), createWriteStream(file, { mode: 0o600, flags: 'wx' }))
  }
}
