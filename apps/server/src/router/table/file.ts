import { hash } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { nameBytes, placeBytes, type Snapshot } from './table.ts'

const format = 'icosa-routes-1'

interface Header extends Pick<Snapshot, 'version' | 'cells'> {
  readonly places: number
  readonly names: number
}

/** Writes a snapshot so that the file is the old or the new one, whenever the process or the machine stops. */
export async function writeTable(file: string, { version, cells, places, names }: Snapshot): Promise<void> {
  const header: Header = { version, cells, places: places.length / placeBytes, names: names.length / nameBytes }
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), places, names])
  const temporary = `${file}.${process.pid}`
  const handle = await open(temporary, 'w', 0o600)
  try {
    await handle.write(`${format} ${hash('sha256', content)}\n`)
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, file)
  const folder = await open(dirname(file), 'r')
  await folder.sync().finally(() => folder.close())
}

/** Reads a table; undefined if there is no file. Throws if it is damaged. */
export async function readTable(file: string): Promise<Snapshot | undefined> {
  try {
    return parse(await readFile(file), file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function parse(content: Buffer, file: string): Snapshot {
  const [firstLine, secondLine] = [content.indexOf('\n'), content.indexOf('\n', content.indexOf('\n') + 1)]
  const [name, checksum] = content.toString('latin1', 0, Math.max(0, firstLine)).split(' ')
  if (name !== format || hash('sha256', content.subarray(firstLine + 1)) !== checksum)
    throw new DamagedTable(`${file} is damaged, or of another version of Icosa.`)
  const header: Header = JSON.parse(content.toString('utf8', firstLine + 1, secondLine))
  const from = secondLine + 1
  const namesFrom = from + header.places * placeBytes
  const { version, cells } = header
  return { version, cells, places: content.subarray(from, namesFrom), names: content.subarray(namesFrom) }
}

export class DamagedTable extends Error {}
