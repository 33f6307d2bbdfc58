import { print, remark, table, UsageError } from '@icosa/module'
import type { SnapshotChanges } from '@icosa/platform'
import type { Command } from '../../command.ts'
import type { Config } from '../../config.ts'
import { controlOf } from '../../dev/control/client.ts'
import { runningInstance } from '../../dev/instance.ts'
import { devConfig } from '../../dev/settings.ts'
import type { Snapshot } from '../../dev/snapshots/folder.ts'
import { type Snapshots, snapshotsIn } from '../../dev/snapshots/snapshots.ts'

export const snapshot: Command = {
  name: 'snapshot',
  usage: 'snapshot save NAME | restore NAME | compare NAME OTHER | list | delete NAME',
  summary: 'Save, restore and compare named snapshots of development mode: rows, blobs, databases and clock.',
  flags: {},
  audited: false,
  async run({ words: [action, name, other], config }) {
    const snapshots = await snapshotsFor(config)
    if (action === 'list') return show(await snapshots.list())
    if (name === undefined) throw new UsageError(`Usage: icosa ${snapshot.usage}`)
    const beganMs = performance.now()
    const took = () => `${Math.round(performance.now() - beganMs)} ms`
    if (action === 'save') {
      const { files, bytes } = await snapshots.save(name)
      remark(`Saved ${name}: ${files} files, ${megabytes(bytes)} MB, in ${took()}.`)
    } else if (action === 'restore') {
      await snapshots.restore(name)
      remark(`Restored ${name} in ${took()}.`)
    } else if (action === 'delete') {
      await snapshots.delete(name)
      remark(`Deleted ${name}.`)
    } else if (action === 'compare' && other !== undefined) {
      showChanges((await snapshots.compare(name, other)).tables)
    } else throw new UsageError(`Usage: icosa ${snapshot.usage}`)
  },
}

const megabytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(0)

/** A running instance has to stop for a snapshot, so it takes its own. */
async function snapshotsFor(config: Config): Promise<Snapshots> {
  const instance = runningInstance(config.dataDirectory)
  return instance ? controlOf(instance).snapshots : snapshotsIn(await devConfig(config))
}

function show(all: readonly Snapshot[]): void {
  if (all.length === 0) remark('There are no snapshots: `icosa snapshot save NAME` creates one.')
  if (all.length === 0) return
  const rows = all.map(({ name, savedAt, files, bytes, version }) => [
    name,
    savedAt,
    String(files),
    `${megabytes(bytes)} MB`,
    version,
  ])
  print(table(['name', 'saved at', 'files', 'size', 'version'], rows))
}

function showChanges(all: SnapshotChanges['tables']): void {
  if (all.length === 0) remark('They have the same rows.')
  if (all.length === 0) return
  const rows = all.map(({ table: name, added, removed, changed }) => [name, ...[added, removed, changed].map(String)])
  print(table(['table', 'added', 'removed', 'changed'], rows))
}
