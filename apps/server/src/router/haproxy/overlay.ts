import { rename, writeFile } from 'node:fs/promises'
import type { RouteChange } from '../../cells/cell.ts'
import type { RouteTable } from '../table/table.ts'
import type { RuntimeSocket } from './runtime-socket.ts'

/** Entry with the version of the directory that the map has. */
const versionKey = 'version'
/** Commands for each message, whose length HAProxy limits. */
const batch = 200

/**
 * Changes since HAProxy has read the table: a map in a file, for its next start, and in the process. HAProxy finds an
 * entry before it searches the table.
 */
export interface Overlay {
  size(): number
  /** Adds changes to the file, then to the process. All methods reject if there is no process. */
  add(table: RouteTable, changes: readonly RouteChange[]): Promise<void>
  /** Makes the process equal to the file, if it has another version. */
  synchronize(): Promise<void>
  /** Removes the entries from the file, since the file of the table has all changes. */
  clear(version: string): Promise<void>
  /** Makes the process read that file, and removes the entries. */
  absorb(version: string): Promise<void>
}

export function openOverlay(file: string, socket: RuntimeSocket): Overlay {
  const entries = new Map<string, string>()
  let processVersion: string | undefined

  async function write(): Promise<void> {
    const lines = [...entries].map(([key, value]) => `${key} ${value}\n`)
    await writeFile(`${file}.new`, lines.join(''), { mode: 0o600 })
    await rename(`${file}.new`, file)
  }
  async function sendAll(commands: readonly string[]): Promise<void> {
    for (let at = 0; at < commands.length; at += batch) await socket.send(commands.slice(at, at + batch).join(';'))
  }
  async function replaceAll(): Promise<void> {
    const [, transaction] = /version created: (\d+)/i.exec(await socket.send(`prepare map ${file}`)) ?? []
    if (transaction === undefined) throw new Error(`HAProxy does not have the map ${file}: reload it.`)
    await sendAll([...entries].map(([key, value]) => `add map @${transaction} ${file} ${key} ${value}`))
    const replace = `commit map @${transaction} ${file}`
    await socket.send(replace)
    processVersion = entries.get(versionKey)
  }
  return {
    size: () => entries.size,
    async add(table, changes) {
      const isCurrent = processVersion !== undefined && processVersion === entries.get(versionKey)
      const changed = new Map(changes.flatMap((change) => entriesOf(table, change)))
      changed.set(versionKey, table.version)
      const commands = [...changed].map(([key, value]) => {
        return `${entries.has(key) ? 'set' : 'add'} map ${file} ${key} ${value}`
      })
      for (const [key, value] of changed) entries.set(key, value)
      await write()
      if (!isCurrent) return
      processVersion = undefined // until all commands have succeeded
      await sendAll(commands)
      processVersion = table.version
    },
    async synchronize() {
      const [, version] = /value="([^"]*)"/.exec(await socket.send(`get map ${file} ${versionKey}`)) ?? []
      processVersion = version
      if (version !== entries.get(versionKey)) await replaceAll()
    },
    async clear(version) {
      entries.clear()
      entries.set(versionKey, version)
      await write()
    },
    async absorb(version) {
      const answer = (await socket.send('icosa load')).trim()
      if (answer !== version) throw new Error(`HAProxy has not read the table: ${answer}`)
      await this.clear(version)
      await replaceAll()
    },
  }
}

/** Keys and values as lua/table.lua reads them. */
function entriesOf(table: RouteTable, change: RouteChange): [string, string][] {
  return table.rowsOf(change).map(({ rows, key, value }) => {
    const text = value && (rows === 'places' ? String(value.readUInt16BE()) : value.toString('hex'))
    return [`${rows === 'places' ? 'p' : 'n'}${key.toString('hex')}`, text ?? '-']
  })
}
