import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openEngine } from '../sandboxed/engine.ts'

/** Analyzes a sample as the current user, and sends the result. */
const [, , folder = ''] = process.argv
const state = join(folder, 'state')
const engine = openEngine({ runtime: 'runsc', emulateMs: 60_000, concurrency: 1, state }, console.error)
const { report, unpacked } = await engine.analyze('tests', await readFile(join(folder, 'packed.exe')))
await engine.close()
const begins = Buffer.from(unpacked ?? []).toString('latin1', 0, 2)
process.send?.({ packer: report.packer, begins }, () => process.disconnect())
