import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A parser of untrusted bytes, and the errors that it may throw. Any other error is a finding. */
export interface Target {
  readonly seeds: readonly (string | Uint8Array)[]
  /** Words and byte sequences that mutations insert. */
  readonly dictionary?: readonly (string | Uint8Array)[]
  readonly refusals: readonly (abstract new (...args: never[]) => Error)[]
  /** Maximum input length: the parser's own limit, or enough to find quadratic time. */
  readonly maxBytes?: number
  run(bytes: Buffer): unknown
}

/** Bounds for one input. */
export const maxCpuMs = 1_000
export const maxGrowthBytes = 256 * 2 ** 20

const folder = (name: string) => fileURLToPath(new URL(`./${name}/`, import.meta.url))

export const targetNames = readdirSync(folder('targets'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -'.ts'.length))

export const corpusFolder = (name: string) => `${folder('corpus')}${name}/`
export const findingsFolder = (name: string) => `${folder('findings')}${name}/`

export async function loadTarget(name: string): Promise<Target> {
  if (!targetNames.includes(name))
    throw new Error(`There is no target '${name}': choose from ${targetNames.join(', ')}.`)
  return ((await import(`./targets/${name}.ts`)) as { readonly target: Target }).target
}

/** The seeds of a target, and its corpus of inputs that reached new code. */
export function inputsOf(name: string, { seeds }: Target): Buffer[] {
  const corpus = filesIn(corpusFolder(name))
  return [...seeds.map((seed) => Buffer.from(seed as Uint8Array)), ...corpus]
}

function filesIn(path: string): Buffer[] {
  try {
    return readdirSync(path).map((file) => readFileSync(path + file))
  } catch {
    return []
  }
}

/** Why an input is a finding: an error that is no refusal, or excessive cost. Undefined if the input is none. */
export async function problemWith({ run, refusals }: Target, bytes: Buffer): Promise<string | undefined> {
  const before = { cpu: process.cpuUsage(), peakKb: process.resourceUsage().maxRSS }
  try {
    await run(bytes)
  } catch (error) {
    if (!refusals.some((refusal) => error instanceof refusal)) return described(error)
  }
  const { user, system } = process.cpuUsage(before.cpu)
  if ((user + system) / 1_000 > maxCpuMs) return 'slow'
  return (process.resourceUsage().maxRSS - before.peakKb) * 1_024 > maxGrowthBytes ? 'memory' : undefined
}

/** The error and where it was thrown, to deduplicate findings. */
function described(error: unknown): string {
  if (!(error instanceof Error)) return `threw ${typeof error}`
  const place = error.stack?.split('\n').find((line) => line.includes('file://') && !line.includes('/tests/fuzz/'))
  return `${error.name}: ${error.message.slice(0, 200)} ${place?.trim().replace(/file:\/\/.*?\/(?=services|packages|node_modules)/, '') ?? ''}`
}
