import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { corpusFolder, findingsFolder } from './target.ts'
import type { Message } from './worker.ts'

export interface Outcome {
  readonly name: string
  readonly executions: number
  readonly seconds: number
  readonly findings: readonly string[]
}

/** CPU time, which is independent of machine load, and wall time, for an input that blocks. */
const maxSilence = { cpuMs: 20_000, clockMs: 400_000 }
const maxHeapMb = 512
const maxCorpusFiles = 40

/** Runs a target on mutated inputs in a process that may hang or die. Findings are saved, and returned as text. */
export async function fuzz(name: string, seconds: number, { keepCorpus = false } = {}): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'icosa-fuzz-'))
  const currentFile = join(folder, 'input')
  const end = Date.now() + seconds * 1_000
  const findings = new Map<string, Buffer>()
  const reached: Buffer[] = []
  let executions = 0
  while (Date.now() < end) {
    const seed = String((Date.now() ^ executions) >>> 0)
    const child = fork(new URL('./worker.ts', import.meta.url), [name, currentFile, seed], {
      execArgv: [`--max-old-space-size=${maxHeapMb}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let heard = { at: Date.now(), cpuMs: 0 }
    let ofChild = 0
    let complaint = ''
    child.stderr?.on('data', (text) => {
      complaint = (complaint + text).slice(-2_000)
    })
    child.on('message', (message: Message) => {
      heard = { at: Date.now(), cpuMs: cpuMsOf(child.pid) }
      if ('executions' in message) ofChild = message.executions
      else if ('reached' in message) reached.push(Buffer.from(message.reached, 'base64'))
      else findings.set(message.finding, Buffer.from(message.bytes, 'base64'))
    })
    let why: string | undefined
    const watch = setInterval(() => {
      const isBusy = cpuMsOf(child.pid) - heard.cpuMs > maxSilence.cpuMs
      if (isBusy || Date.now() - heard.at > maxSilence.clockMs) why = 'hangs'
      if (why !== undefined || Date.now() > end) child.kill('SIGKILL')
    }, 100)
    await once(child, 'exit')
    clearInterval(watch)
    executions += ofChild
    if (Date.now() <= end)
      why ??= `dies: ${/^(?:FATAL ERROR|\w*Error).*$/m.exec(complaint)?.[0] ?? complaint.slice(-200)}`
    if (why !== undefined) findings.set(why, currentInput(currentFile))
  }
  rmSync(folder, { recursive: true })
  for (const bytes of findings.values()) write(findingsFolder(name), bytes)
  if (keepCorpus) keep(name, reached)
  return { name, executions, seconds, findings: [...findings.keys()] }
}

/** CPU time of a process so far, which Linux counts in hundredths of a second. */
function cpuMsOf(pid: number | undefined): number {
  try {
    const [user = 0, system = 0] =
      readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? []
    return 10 * (Number(user) + Number(system))
  } catch {
    return 0 // it has ended
  }
}

function currentInput(file: string): Buffer {
  if (!existsSync(file)) return Buffer.alloc(0) // the process died before its first input
  const bytes = readFileSync(file)
  return bytes.subarray(4, 4 + bytes.readUInt32LE())
}

/** Saves the last of the inputs that reached new code, since they reached deepest. */
function keep(name: string, reached: readonly Buffer[]): void {
  mkdirSync(corpusFolder(name), { recursive: true })
  const left = maxCorpusFiles - readdirSync(corpusFolder(name)).length
  for (const bytes of left > 0 ? reached.slice(-left) : []) write(corpusFolder(name), bytes)
}

function write(folder: string, bytes: Buffer): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, createHash('sha256').update(bytes).digest('hex').slice(0, 12)), bytes)
}
