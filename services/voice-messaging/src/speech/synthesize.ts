import { ProgramFailed, runProgram } from '@icosa/compute'
import { Failure, fairSemaphore } from '@icosa/kernel'
import { type Audio, joined, sampleRate, silence } from './audio.ts'
import { resample } from './resample.ts'
import { readWav } from './wav.ts'

export interface Speech {
  readonly ssml: string
  /** A voice of the engine. */
  readonly voice: string
}

const maxSeconds = 600
/** Silence around the message. */
const before = silence(400)
const after = silence(200)
/** At the engine's rate of about 22,050 Hz. */
const maxBytes = 44 + maxSeconds * 24_000 * 2
/** Engine processes, at most two of a tenant: synthesis is fast, and active calls need CPU. */
const concurrency = 3
/** Cache of recent audio, since a message may have many recipients. */
const maxCached = 10
const cacheMs = 60_000

export type Synthesize = (tenant: string, speech: Speech) => Promise<Audio>

/** Synthesizes speech with espeak-ng, in separate processes. */
export function synthesizer(command = 'espeak-ng'): Synthesize {
  const speaking = fairSemaphore(concurrency)
  const recent = new Map<string, Promise<Audio>>()
  return (tenant, speech) => {
    const key = JSON.stringify([tenant, speech]) // tenants do not wait for each other's messages
    const cached = recent.get(key)
    if (cached) return cached
    const audio = speaking.run(tenant, () => speak(command, speech))
    const forget = () => {
      if (recent.get(key) === audio) recent.delete(key)
    }
    recent.set(key, audio)
    audio.then(() => setTimeout(forget, cacheMs).unref(), forget)
    const [oldest] = recent.keys()
    if (recent.size > maxCached && oldest !== undefined) recent.delete(oldest)
    return audio
  }
}

async function speak(command: string, speech: Speech): Promise<Audio> {
  const wav = readWav(await run(command, speech))
  if (!wav) throw new Failure('internal', 'The speech engine returned invalid audio.')
  const audio = await resample(wav.samples, wav.rate)
  if (audio.length > maxSeconds * sampleRate) tooLong()
  return joined(before, audio, after)
}

/** Passes the text by stdin, so that it cannot contain options. */
function run(command: string, { ssml, voice }: Speech): Promise<Buffer> {
  const args = ['-m', '-b', '1', '-v', voice, '--stdin', '--stdout']
  return runProgram(command, args, { input: ssml, outputBytes: maxBytes }).catch((error) => {
    if (!(error instanceof ProgramFailed)) throw error
    if (error.why === 'output') tooLong()
    throw error.why === 'missing' ? engineMissing(command) : error
  })
}

export function engineMissing(command: string): Failure {
  return new Failure(
    'unavailable',
    `${command} is not installed, so messages cannot be spoken: install it (Debian: apt install espeak-ng).`,
  )
}

function tooLong(): never {
  throw new Failure('invalid', `The message is longer than ${maxSeconds / 60} minutes: shorten it.`)
}
