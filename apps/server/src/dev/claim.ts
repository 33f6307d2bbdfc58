import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isStillAlive, processStart, UsageError } from '@icosa/module'
import { runningInstance } from './instance.ts'
import { codeOf } from './postgres-cluster.ts'

/** The process that starts or runs on a data folder. Process ids are reused, so its start time identifies it. */
interface Claim {
  readonly pid: number
  readonly start: string | undefined
  readonly url: string
}

const fileIn = (folder: string) => join(folder, 'claim.json')

/** Claims the folder until this process exits: there is one `icosa dev` per folder. */
export function claimFolder(folder: string, url: string): void {
  const claim: Claim = { pid: process.pid, start: processStart(process.pid), url }
  try {
    writeFileSync(fileIn(folder), `${JSON.stringify(claim)}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    refuseClaimed(folder)
    writeFileSync(fileIn(folder), `${JSON.stringify(claim)}\n`, { mode: 0o600 }) // replaces the claim of a killed process
  }
  process.once('exit', () => rmSync(fileIn(folder), { force: true }))
}

/** Refuses a folder on which another process starts or runs. */
export function refuseClaimed(folder: string): void {
  const other = livingClaim(folder) ?? runningInstance(folder)
  if (other)
    throw new UsageError(
      `Icosa already runs here at ${other.url} (process ${other.pid}): \`icosa stop\` ends it, --data names another folder.`,
    )
}

function livingClaim(folder: string): Claim | undefined {
  try {
    const claim: Claim = JSON.parse(readFileSync(fileIn(folder), 'utf8'))
    return isStillAlive(claim.pid, claim.start) ? claim : undefined
  } catch {
    return undefined
  }
}
