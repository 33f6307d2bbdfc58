import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { secondsOf } from '../speech/audio.ts'
import { ssmlOf } from '../speech/ssml/ssml.ts'
import { synthesizer } from '../speech/synthesize.ts'
import { hello, startVoice } from '../testing/app.ts'
import { startSoftphone } from '../testing/baresip.ts'
import { loudness } from '../testing/listener.ts'

const words = (pause: string) => `<speak>This is a message for you,${pause} please call back.</speak>`

test('a softphone rings, answers and hears the message: as long as it was spoken, and longer with a break', async () => {
  await using phone = await startSoftphone(hello.DestinationPhoneNumber)
  await using world = await startVoice({ trunk: { host: '127.0.0.1', port: phone.port } })
  const acme = await world.caller()
  const heard: number[] = []
  for (const pause of ['', '<break time="2s"/>']) {
    const Text = words(pause)
    const spoken = await synthesizer()('acme', { ssml: ssmlOf(Text, 'at', 'en-us'), voice: 'en-us' })
    await acme.SendVoiceMessage({ body: { ...hello, Content: { SSMLMessage: { Text } } } })
    await world.app.jobs.drain()
    await sleep(1_100) // recordings are named by the second
    const recording = (await phone.recordings()).at(-1) ?? new Int16Array()
    console.log(`spoken ${secondsOf(spoken).toFixed(2)} s, heard ${secondsOf(recording).toFixed(2)} s`)
    expect(Math.abs(secondsOf(recording) / secondsOf(spoken) - 1)).toBeLessThan(0.1)
    expect(loudness(recording) / loudness(spoken)).toBeGreaterThan(0.8)
    heard.push(secondsOf(recording))
  }
  const [short = 0, long = 0] = heard
  expect(long - short).toBeGreaterThan(1.5)
  expect(long - short).toBeLessThan(2.5)
})
