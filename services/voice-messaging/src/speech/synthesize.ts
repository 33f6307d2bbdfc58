import { spawn } from 'node:child_process'
import { Failure, fairGate } from '@icosa/kernel'
import { type Audio, joined, sampleRate, silence } from './audio.ts'
import { resample } from './resample.ts'
import { readWav } from './wav.ts'

/** What is to be said, and by whom. */
export interface Speech {
  readonly ssml: string
  /** A voice of the engine. */
  readonly voice: string
}

const longestSeconds = 600
const timeoutMs = 30_000
/** A moment for who has just answered, and one before the line goes dead. */
const before = silence(400)
const after = silence(200)
/** The engine's own rate is some 22,050. Longer output is cut off. */
const mostBytes = 44 + longestSeconds * 24_000 * 2
/** Processes at the same time, two of a tenant: speaking is quick, and calls that are under way need the processor. */
const atOnce = 3
/** A message to many is spoken once: so many of the last ones are kept for so long. */
const kept = 10
const keptMs = 60_000

export type Synthesize = (tenant: string, speech: Speech) => Promise<Audio>

/** Speaks with espeak-ng, in processes of its own. */
export function synthesizer(command = 'espeak-ng'): Synthesize {
  const speaking = fairGate(atOnce)
  const recent = new Map<string, Promise<Audio>>()
  return (tenant, speech) => {
    const key = JSON.stringify([tenant, speech]) // nobody waits for what another has to be spoken
    const known = recent.get(key)
    if (known) return known
    const audio = speaking.run(tenant, () => speak(command, speech))
    const forget = () => {
      if (recent.get(key) === audio) recent.delete(key)
    }
    recent.set(key, audio)
    audio.then(() => setTimeout(forget, keptMs).unref(), forget)
    const [oldest] = recent.keys()
    if (recent.size > kept && oldest !== undefined) recent.delete(oldest)
    return audio
  }
}

async function speak(command: string, speech: Speech): Promise<Audio> {
  const wav = readWav(await run(command, speech))
  if (!wav) throw new Failure('internal', 'The speech engine returned something other than audio.')
  const audio = await resample(wav.samples, wav.rate)
  if (audio.length > longestSeconds * sampleRate)
    throw new Failure('invalid', `The message is longer than ${longestSeconds / 60} minutes: shorten it.`)
  return joined(before, audio, after)
}

function run(command: string, { ssml, voice }: Speech): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // No shell, and the text by its own way: nothing in it can be an option.
    const child = spawn(command, ['-m', '-b', '1', '-v', voice, '--stdin', '--stdout'], {
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      stdio: 'pipe',
    })
    const chunks: Buffer[] = []
    let size = 0
    let complaint = ''
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > mostBytes) child.stdout.destroy() // long enough to tell that it is too long
    })
    child.stderr.on('data', (chunk) => {
      complaint = (complaint + chunk).slice(0, 300)
    })
    child.stdin.on('error', () => {}) // who does not read says so by its exit
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? engineMissing(command) : error),
    )
    child.on('close', (code, killed) => {
      if (code === 0 || size > mostBytes) resolve(Buffer.concat(chunks))
      else reject(new Failure('unavailable', `The speech engine gave up: ${complaint.trim() || killed || code}.`))
    })
    child.stdin.end(ssml)
  })
}

export function engineMissing(command: string): Failure {
  return new Failure(
    'unavailable',
    `${command} is not installed, so nobody can speak: install it (Debian: apt install espeak-ng).`,
  )
}
