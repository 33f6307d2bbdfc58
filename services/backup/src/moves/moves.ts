import { createHash } from 'node:crypto'
import { access, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, type MoveEnd, type MoveEnds, type Moves, movesBy } from '@icosa/kernel'
import type { BackupSettings } from '../settings.ts'
import { vaultIdsOf, vaultNames } from '../tenancy-store.ts'
import { differentFiles, isLocked, listFiles, mirror } from './files.ts'

type Place = Pick<BackupSettings, 'repositories' | 'marker'>
type Ends = MoveEnds<Place>

/** How long jobs that use a repository may take to end, before writes are kept out. */
const maxBusyMs = 60_000
const pollMs = 500

/** Repositories are copied file by file, most of it while backups go on. Cells with a common bucket or folder need no copy. */
export const movesOf = ({ repositories, marker }: Place): Moves =>
  movesBy<Place>({
    place: { repositories, marker },

    async obstacles(ends, tenant) {
      const names = await vaultNames(ends.from.database, tenant)
      if (names.length === 0) return []
      const lacking = [ends.from, ends.to].find(({ place }) => place.repositories === undefined)
      if (lacking)
        return [
          `Where ${lacking.cell} has its vaults is unknown: set ICOSA_BACKUP_REPOSITORIES, or add --source-env and --target-env.`,
        ]
      if (isCommon(ends)) return []
      const bucket = [ends.from, ends.to].find(({ place }) => /^\w+:/.test(place.repositories ?? ''))
      if (bucket)
        return names.map(
          (name) =>
            `The backup vault '${name}' cannot be copied to or from the bucket of ${bucket.cell}: give both cells one bucket, or copy its recovery points to a vault of another tenant and delete it.`,
        )
      const away = await missingFolder(ends)
      return away === undefined ? [] : [away]
    },

    async copy(ends, tenant) {
      if (isCommon(ends)) return
      for (const id of await vaultIdsOf(ends.from.database, tenant)) {
        await mirror(folderOf(ends.from, id), await destination(ends.to, tenant, id))
        await untilIdle(ends, id)
      }
    },

    async finish(ends, tenant) {
      const ids = await vaultIdsOf(ends.from.database, tenant)
      const words = (outcome: string) => (ids.length === 0 ? undefined : `${ids.length} vaults ${outcome}`)
      if (isCommon(ends)) return words('stay where they are')
      let files = 0
      for (const id of ids) files += await complete(ends, tenant, id)
      await rm(stagingOf(ends.to, tenant), { recursive: true, force: true })
      return words(`with ${files} files are equal`)
    },

    async forget({ at, other }, tenant) {
      if (at.place.repositories === undefined || isCommon({ from: at, to: other })) return
      await rm(stagingOf(at, tenant), { recursive: true, force: true })
      for (const id of await vaultIdsOf(at.database, tenant))
        await rm(folderOf(at, id), { recursive: true, force: true })
    },
  })

const isCommon = ({ from, to }: Ends) => from.place.repositories === to.place.repositories

const folderOf = ({ place }: MoveEnd<Place>, id: string) => join(place.repositories ?? '', id)

/** A copy of a vault that was deleted in the meantime must not stay, so incomplete ones are in a folder of their tenant. */
const stagingOf = ({ place }: MoveEnd<Place>, tenant: string) =>
  join(place.repositories ?? '', `moving-${createHash('sha256').update(tenant).digest('hex').slice(0, 32)}`)

/** On the way back, or once it was complete, a copy is in its place. */
async function destination(to: MoveEnd<Place>, tenant: string, id: string): Promise<string> {
  const folder = folderOf(to, id)
  return (await exists(folder)) ? folder : join(stagingOf(to, tenant), id)
}

async function untilIdle(ends: Ends, id: string): Promise<void> {
  const until = performance.now() + maxBusyMs
  while (await isBusy(ends, id)) {
    if (performance.now() > until) busy(ends, id)
    await sleep(pollMs)
  }
}

const isBusy = async ({ from, to }: Ends, id: string) =>
  (await isLocked(folderOf(from, id))) || isLocked(folderOf(to, id))

function busy({ from }: Ends, id: string): never {
  throw new Failure(
    'unavailable',
    `A job uses the vault with the id ${id} in ${from.cell}: wait until it has ended, and run the command again.`,
  )
}

/** Copies the rest, and puts the copy in its place. Returns the number of its files. */
async function complete(ends: Ends, tenant: string, id: string): Promise<number> {
  const { from, to } = ends
  if (await isBusy(ends, id)) busy(ends, id) // a prune of another moment is not a repository
  const copy = await destination(to, tenant, id)
  await mirror(folderOf(from, id), copy)
  const [files, copies] = await Promise.all([listFiles(folderOf(from, id)), listFiles(copy)])
  // A job that had begun before writes were kept out has written in the meantime.
  if ((await isBusy(ends, id)) || differentFiles(files, copies).length > 0) busy(ends, id)
  if (files.size > 0 && copy !== folderOf(to, id)) await rename(copy, folderOf(to, id))
  return files.size
}

async function missingFolder({ from, to }: Ends): Promise<string | undefined> {
  for (const { cell, place } of [from, to]) {
    const { repositories = '', marker = '' } = place
    if (!(await exists(join(repositories, marker))))
      return `The folder ${repositories} of the vaults of ${cell} is not mounted here: mount it where this command runs.`
  }
  return undefined
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )
