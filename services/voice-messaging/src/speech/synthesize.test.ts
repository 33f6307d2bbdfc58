import { Failure } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { type Audio, secondsOf } from './audio.ts'
import { plainOf, ssmlOf } from './ssml/ssml.ts'
import { synthesizer } from './synthesize.ts'
import { chosenVoice } from './voices.ts'
import { readWav, writeWav } from './wav.ts'

const synthesize = synthesizer()
const voice = chosenVoice({}, 'at')
const say = (ssml: string, speaker = voice) => synthesize('acme', { ssml, voice: speaker })
const loudest = (audio: Audio) => audio.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0)

test('a text is spoken audibly, in a plausible time', async () => {
  const audio = await say(plainOf('Hello world, this is a message for you.'))
  expect(secondsOf(audio)).toBeGreaterThan(2)
  expect(secondsOf(audio)).toBeLessThan(5)
  expect(loudest(audio)).toBeGreaterThan(3_000)
  const wav = writeWav(audio)
  expect(readWav(wav)).toEqual({ rate: 8_000, samples: audio })
})

test('breaks and a slower rate lengthen the audio', async () => {
  const words = 'Hello world, this is a message.'
  const [plain, pause, slow] = await Promise.all(
    [words, `Hello world,<break time="3s"/> this is a message.`, `<prosody rate="x-slow">${words}</prosody>`].map(
      async (text) => secondsOf(await say(ssmlOf(`<speak>${text}</speak>`, 'at', 'en-us'))),
    ),
  )
  expect((pause ?? 0) - (plain ?? 0)).toBeGreaterThan(2.5)
  expect((pause ?? 0) - (plain ?? 0)).toBeLessThan(3.5)
  expect(slow).toBeGreaterThan(1.3 * (plain ?? 0))
})

test('the same message to many recipients is synthesized once', async () => {
  const [first, second, other] = await Promise.all(['To all.', 'To all.', 'To one.'].map((text) => say(plainOf(text))))
  expect(second).toBe(first)
  expect(other).not.toEqual(first)
  expect(await say(plainOf('To all.'), 'de')).not.toEqual(first)
})

test('supported languages and voices are audible', async () => {
  const choices = [
    ...[
      'en-US',
      'en-GB',
      'en-AU',
      'de-DE',
      'es-MX',
      'fr-CA',
      'pt-BR',
      'cmn-CN',
      'arb',
      'nb-NO',
      'yue-CN',
      'zh',
      'hi-IN',
    ],
  ].map((LanguageCode) => ({ LanguageCode }))
  const voices = ['Joanna', 'Matthew', 'Hans', 'Zeina', 'mizuki', 'Patrick'].map((VoiceId) => ({ VoiceId }))
  for (const choice of [...choices, ...voices])
    expect(loudest(await say(plainOf('1 2 3'), chosenVoice(choice, 'at'))), JSON.stringify(choice)).toBeGreaterThan(
      1_000,
    )
})

test('unknown languages and voices are refused', () => {
  expect(() => chosenVoice({ LanguageCode: 'tlh-QO' }, 'body')).toThrow(
    "body/LanguageCode 'tlh-QO' is not a supported language: use one such as en-US or de-DE",
  )
  expect(() => chosenVoice({ VoiceId: '-f/etc/passwd' }, 'body')).toThrow('body/VoiceId')
})

test('audio is limited to ten minutes', async () => {
  const text = 'a<break time="10s"/>'.repeat(61)
  await expect(say(ssmlOf(`<speak>${text}</speak>`, 'at', 'en-us'))).rejects.toMatchObject({ kind: 'invalid' })
})

test('a missing engine is reported with what to install', async () => {
  const failing = synthesizer('no-such-engine')('acme', { ssml: plainOf('x'), voice })
  await expect(failing).rejects.toThrow('apt install espeak-ng')
  await expect(failing).rejects.toMatchObject({ kind: 'unavailable' })
})

test('a broken engine causes a failure', async () => {
  await expect(synthesizer('false')('acme', { ssml: plainOf('x'), voice })).rejects.toBeInstanceOf(Failure)
  await expect(synthesizer('true')('acme', { ssml: plainOf('x'), voice })).rejects.toBeInstanceOf(Failure)
})
