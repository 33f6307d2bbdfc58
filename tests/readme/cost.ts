import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Wall and CPU time until ready. */
export interface Cost {
  readonly wallMs: number
  readonly cpuMs: number
}

const tickMs = 10 // clock tick of /proc on Linux

/** CPU time of the processes of a session and of their children that have ended. */
export async function cpuMsOfSession(session: number): Promise<number> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(processes.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')))
  const ofSession = stats
    .map((stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' '))
    .filter((fields) => Number(fields[3]) === session)
  return ofSession.flatMap((fields) => fields.slice(11, 15)).reduce((sum, ticks) => sum + Number(ticks) * tickMs, 0)
}

/**
 * Reference program that only loads a thousand TypeScript modules, as every start does, from Node's cache if it has run
 * before. A busy or slow machine affects it like a real start.
 */
export async function writeReference(folder: string): Promise<string> {
  await mkdir(folder)
  const names = Array.from({ length: 1_000 }, (_, number) => `module-${number}.ts`)
  await Promise.all(names.map((name, number) => writeFile(join(folder, name), source(number))))
  await writeFile(join(folder, 'all.ts'), names.map((name) => `import './${name}'\n`).join(''))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const file = join(folder, 'reference.js')
  await writeFile(file, program)
  return `node ${file}`
}

const program = `
import { enableCompileCache, flushCompileCache } from 'node:module'
enableCompileCache()
await import('./all.ts')
flushCompileCache()
console.log('The reference is ready')
setInterval(() => {}, 60_000)
`

const source = (number: number) =>
  Array.from(
    { length: 8 },
    (_, line) => `
export function add${line}(these: readonly number[], more: number = ${number}): number {
  const doubled: number[] = these.map((one) => one * 2)
  return doubled.reduce((sum: number, one) => sum + one, more)
}
`,
  ).join('')

/** The cheapest of several tries, since others were disturbed. */
export function cheapest(costs: readonly Cost[]): Cost {
  const [first, ...others] = costs
  if (!first) throw new Error('Nothing was tried.')
  return others.reduce((best, one) => (one.cpuMs < best.cpuMs ? one : best), first)
}

/** Ratio of wall time per CPU time of two costs. */
export const idleness = (one: Cost, other: Cost) => one.wallMs / one.cpuMs / (other.wallMs / other.cpuMs)
