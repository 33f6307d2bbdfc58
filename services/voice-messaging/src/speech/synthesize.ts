import { ProgramFailed, runProgram } from '@icosa/compute'
import { Failure, fairSemaphore } from '@icosa/kernel'
import { type Audio, joined, sampleRate, silence } from './audio.ts'
import { resample } from './resample.ts'
import { readWav } from './wav.ts'

/** What is to be said, and by whom. */
export interface Speech {
  readonly ssml: string
  /** A voice of the engine. */
  readonly voice: string
}

const maxSeconds = 600
/** A moment for who has just answered, and one before the line goes dead. */
const before = silence(400)
const after = silence(200)
/** The engine's own rate is some 22,050. */
const maxBytes = 44 + maxSeconds * 24_000 * 2
/** Processes at the same time, two of a tenant: speaking is quick, and calls that are under way need the processor. */
const atOnce = 3
/** A message to many is spoken once: so many of the last ones are kept for so long. */
const kept = 10
const keptMs = 60_000

export type Synthesize = (tenant: string, speech: Speech) => Promise<Audio>

/** Speaks with espeak-ng, in processes of its own. */
export function synthesizer(command = 'espeak-ng'): Synthesize {
  const speaking = fairSemaphore(atOnce)
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
  if (audio.length > maxSeconds * sampleRate) tooLong()
  return joined(before, audio, after)
}

/** Nothing in the text can be an option: it has a way of its own. */
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
    `${command} is not installed, so nobody can speak: install it (Debian: apt install espeak-ng).`,
  )
}

function tooLong(): never {
  throw new Failure('invalid', `The message is longer than ${maxSeconds / 60} minutes: shorten it.`)
}
