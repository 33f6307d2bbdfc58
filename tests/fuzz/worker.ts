/** Runs one target on mutated inputs until killed. Arguments: the target, a file for the current input, a seed. */
import { openSync, writeSync } from 'node:fs'
import { Coverage } from './coverage.ts'
import { mutated } from './mutate.ts'
import { inputsOf, loadTarget, problemWith } from './target.ts'

export type Message =
  | { readonly executions: number }
  | { readonly finding: string; readonly bytes: string }
  | { readonly reached: string }

const [, , name = '', currentFile = '', seed = '1'] = process.argv
const coverage = new Coverage()
const target = await loadTarget(name)
const { dictionary = [], maxBytes = 65_536 } = target
const corpus = inputsOf(name, target)
const around = { corpus, dictionary: dictionary.map((word) => Buffer.from(word as Uint8Array)), maxBytes }
const tell = (message: Message) => void process.send?.(message)

/** Current input, which the parent reads if this process hangs or dies. */
const current = openSync(currentFile, 'w')
function remember(bytes: Buffer): void {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  writeSync(current, Buffer.concat([length, bytes]), 0, undefined, 0)
}

let state = Number(seed) >>> 0 || 1
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

const seenInputs = new Set<string>()
async function tryOut(bytes: Buffer): Promise<void> {
  remember(bytes)
  const problem = await problemWith(target, bytes)
  if (problem === undefined || seenInputs.has(problem)) return
  seenInputs.add(problem)
  tell({ finding: problem, bytes: (await minimized(bytes, problem)).toString('base64') })
}

/** Removes ever smaller parts while the problem stays the same. */
async function minimized(bytes: Buffer, problem: string): Promise<Buffer> {
  let smallest = bytes
  for (let size = bytes.length >> 1, tries = 0; size > 0; size >>= 1)
    for (let at = 0; at < smallest.length && tries < 300; tries++) {
      const shorter = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + size)])
      remember(shorter)
      if ((await problemWith(target, shorter)) === problem) smallest = shorter
      else at += size
    }
  return smallest
}

/** Adds the inputs that reach new code: each is run again, by itself. */
async function addToCorpus(inputs: readonly Buffer[]): Promise<void> {
  for (const input of inputs) {
    await problemWith(target, input)
    const more = coverage.more()
    if (more.length === 0) continue
    coverage.add(more)
    if (input.length >= maxKeptBytes) continue // its mutations would be slow, and `repeat` produces long ones anyway
    corpus.push(input)
    tell({ reached: input.toString('base64') })
  }
}

const batch = 40
const maxKeptBytes = 4_096
for (const input of inputsOf(name, target)) await tryOut(input)
coverage.add(coverage.more())
let executions = 0
for (let reportedAt = Date.now(); ; ) {
  const inputs = Array.from({ length: batch }, () => mutated(random, around))
  for (const input of inputs) {
    await tryOut(input)
    executions++
    if (Date.now() - reportedAt < 250) continue
    reportedAt = Date.now()
    tell({ executions })
    await new Promise(setImmediate)
  }
  if (coverage.more().length > 0) await addToCorpus(inputs)
}
