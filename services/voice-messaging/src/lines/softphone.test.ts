import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { secondsOf } from '../speech/audio.ts'
import { ssmlOf } from '../speech/ssml/ssml.ts'
import { synthesizer } from '../speech/synthesize.ts'
import { hello, startVoice } from '../testing/app.ts'
import { startSoftphone } from '../testing/baresip.ts'
import { loudness } from '../testing/listener.ts'

const words = (pause: string) => `<speak>This is a message for you,${pause} please call back.</speak>`

test('a softphone receives the message in full length, and longer with a break', async () => {
  await using phone = await startSoftphone(hello.DestinationPhoneNumber)
  await using world = await startVoice({ trunk: { host: '127.0.0.1', port: phone.port } })
  const acme = await world.caller()
  const durations: number[] = []
  for (const pause of ['', '<break time="2s"/>']) {
    const Text = words(pause)
    const audio = await synthesizer()('acme', { ssml: ssmlOf(Text, 'at', 'en-us'), voice: 'en-us' })
    await acme.SendVoiceMessage({ body: { ...hello, Content: { SSMLMessage: { Text } } } })
    await world.app.jobs.drain()
    await sleep(1_100) // recordings are named by the second
    const recording = (await phone.recordings()).at(-1) ?? new Int16Array()
    console.log(`spoken ${secondsOf(audio).toFixed(2)} s, recorded ${secondsOf(recording).toFixed(2)} s`)
    expect(Math.abs(secondsOf(recording) / secondsOf(audio) - 1)).toBeLessThan(0.1)
    expect(loudness(recording) / loudness(audio)).toBeGreaterThan(0.8)
    durations.push(secondsOf(recording))
  }
  const [short = 0, long = 0] = durations
  expect(long - short).toBeGreaterThan(1.5)
  expect(long - short).toBeLessThan(2.5)
})
