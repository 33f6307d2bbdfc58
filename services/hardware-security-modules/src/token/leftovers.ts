import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '@icosa/module'
import { zeroiseFolder } from './files.ts'

/** Zeroises token folders of killed nodes. */
export function removeLeftovers(folder: string): void {
  for (const name of namesIn(folder)) {
    const [, pid] = /^icosa-token-(\d+)-/.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) zeroiseFolder(join(folder, name))
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // reported when a token is opened
  }
}
