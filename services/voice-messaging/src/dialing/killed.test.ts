import { once } from 'node:events'
import { sql } from '@icosa/kernel'
import { expireClaims } from '@icosa/testing'
import { expect, test } from 'vitest'
import { hello, startVoice } from '../testing/app.ts'
import { startListener } from '../testing/listener.ts'
import { receive, respond, startPhone } from '../testing/sipp.ts'
import { startWorkers } from '../testing/workers.ts'

test('a call whose worker is killed fails and is retried', {
  timeout: 90_000,
}, async () => {
  await using listener = await startListener()
  await using phone = await startPhone(
    [
      receive('INVITE'),
      respond(200, 'OK', { mediaPort: listener.port, retransmitMs: 500 }),
      receive('ACK'),
      receive('BYE'),
      respond(200, 'OK'),
    ],
    3,
  )
  const settings = { trunk: { host: '127.0.0.1', port: phone.port }, retrySeconds: [60] }
  await using world = await startVoice(settings)
  const { app } = world
  await using workers = await startWorkers(app.databaseUrl, settings)
  const worker = await workers.start()
  const Text = 'This is a long message, which takes a while to say, so that the call can be cut off in its middle.'
  const content = { Content: { PlainTextMessage: { Text } } }
  const { MessageId } = (await (await world.caller()).SendVoiceMessage({ body: { ...hello, ...content } })).body
  const events = () =>
    app.platform.database.many(sql`
      select type, body -> 'attempt' as attempt, body -> 'isFinal' as final from voice_messaging.events
      where call_id = ${MessageId} order by number`)
  const calls = () => Map.groupBy(listener.packets, ({ source }) => source)
  await expect.poll(() => listener.packets.length).toBeGreaterThan(30)
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  await expireClaims(app.platform.database)
  await workers.start()

  const cutOff = [
    { type: 'INITIATED_CALL', attempt: 1, final: false },
    { type: 'ANSWERED', attempt: 1, final: false },
    { type: 'FAILED', attempt: 1, final: false },
  ]
  await expect.poll(events).toEqual(cutOff)
  expect(calls().size, 'not before its time').toBe(1)
  await app.clock.advance(60_000)
  const retried = [
    { type: 'INITIATED_CALL', attempt: 2, final: false },
    { type: 'ANSWERED', attempt: 2, final: false },
    { type: 'COMPLETED_CALL', attempt: 2, final: true },
  ]
  await expect.poll(events).toEqual([...cutOff, ...retried])
  expect(calls().size).toBe(2)
  const [first = [], second = []] = calls().values()
  expect(second.length, 'from the beginning').toBeGreaterThan(first.length)
})
