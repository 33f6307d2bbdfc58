import { randomBytes } from 'node:crypto'
import type { Blobs } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { frameMs, frameSamples } from '../rtp/packet.ts'
import { defaultSettings, type TrunkSettings } from '../settings.ts'
import { type Audio, joined, secondsOf } from '../speech/audio.ts'
import { ssmlOf } from '../speech/ssml/ssml.ts'
import { synthesizer } from '../speech/synthesize.ts'
import { loudness, paceMs, soundOf, speechIn, startListener } from '../testing/listener.ts'
import { startRelay } from '../testing/relay.ts'
import { hangUp, receive, respond, ringsUntilCancelled, saveAddresses, startPhone, wait } from '../testing/sipp.ts'
import { openTrunk } from './trunk.ts'

const speech = await synthesizer()('acme', {
  ssml: ssmlOf('<speak>Hello, this is a test.</speak>', 'at', 'en-us'),
  voice: 'en-us',
})

/** Places one call to a phone on this machine, and returns its states and end. */
async function call(
  port: number,
  more: { audio?: Audio; ringSeconds?: number; trunk?: Partial<TrunkSettings>; t1Ms?: number } = {},
) {
  // Long: on a busy machine an INVITE would be retransmitted, which SIPp would take for the next request.
  const { audio = speech, ringSeconds = 10, trunk = {}, t1Ms = 5_000 } = more
  await using connection = openTrunk(
    { host: '127.0.0.1', port, ...trunk },
    { ...defaultSettings, ringSeconds, timing: { t1Ms, t2Ms: 8 * t1Ms } },
  )
  const states: string[] = []
  const end = await connection.line({
    tenant: 'acme',
    messageId: 'one',
    number: '+493012345',
    caller: '+491701',
    owner: '+491702',
    audio,
    blobs: undefined as unknown as Blobs, // not used by a trunk
    signal: new AbortController().signal,
    onInitiated: async () => {},
    onRinging: () => states.push('ringing'),
    onAnswered: () => states.push('answered'),
  })
  return { states, end }
}

const okBye = [receive('BYE'), respond(200, 'OK')]

test('a call is answered, played in full and ended by us', async () => {
  await using listener = await startListener()
  await using phone = await startPhone([
    receive(
      'INVITE',
      `<action>
      <ereg regexp="^INVITE sip:\\+493012345@127.0.0.1;user=phone SIP/2.0" search_in="msg" check_it="true" assign_to="a"/>
      <ereg regexp="sip:\\+491701@" search_in="hdr" header="From:" check_it="true" assign_to="b"/>
      <ereg regexp="sip:\\+491702@" search_in="hdr" header="P-Asserted-Identity:" check_it="true" assign_to="c"/>
      <ereg regexp="RTP/AVP 0 8" search_in="body" check_it="true" assign_to="d"/>
    </action>`,
    ),
    '<Reference variables="a,b,c,d"/>',
    respond(100, 'Trying'),
    respond(180, 'Ringing'),
    respond(200, 'OK', { mediaPort: listener.port, retransmitMs: 500 }),
    receive('ACK'),
    ...okBye,
  ])
  const { states, end } = await call(phone.port)
  await phone.ended
  expect(states).toEqual(['ringing', 'answered'])
  expect(end).toMatchObject({ kind: 'completed', endedBy: 'caller' })
  const { packets } = listener
  const [first] = packets
  expect(packets.length).toBe(Math.ceil(speech.length / frameSamples))
  expect(new Set(packets.map(({ source }) => source)).size).toBe(1)
  packets.forEach(({ sequence, payloadType, marked, timestamp }, index) => {
    expect(sequence).toBe(((first?.sequence ?? 0) + index) % 65_536)
    expect(payloadType).toBe(0)
    // A busy machine may leave a gap.
    const since = timestamp - (packets[index - 1]?.timestamp ?? Number.NaN)
    expect(marked).toBe((since + 2 ** 32) % 2 ** 32 !== frameSamples)
  })
  const sound = speechIn(packets)
  expect(Math.abs(secondsOf(sound) / secondsOf(speech) - 1)).toBeLessThan(0.1)
  expect(loudness(sound) / loudness(speech)).toBeGreaterThan(0.9)
  expect(Math.abs(paceMs(packets) / frameMs - 1), 'in real time').toBeLessThan(0.1)
})

test('a callee that prefers A-law gets A-law, and Record-Route is followed', async () => {
  await using listener = await startListener()
  const route = 'Record-Route: <sip:127.0.0.1:[local_port];lr>'
  await using phone = await startPhone([
    receive('INVITE'),
    respond(183, 'Session Progress'),
    respond(200, 'OK', { mediaPort: listener.port, payloadTypes: '9 8 0', retransmitMs: 500, headers: [route] }),
    receive(
      'ACK',
      `<action><ereg regexp="^ACK sip:phone@127.0.0.1" search_in="msg" check_it="true" assign_to="a"/>
      <ereg regexp="sip:127.0.0.1:[0-9]+;lr" search_in="hdr" header="Route:" check_it="true" assign_to="b"/></action>`,
    ),
    '<Reference variables="a,b"/>',
    ...okBye,
  ])
  const { end, states } = await call(phone.port)
  await phone.ended
  expect(states).toEqual(['ringing', 'answered'])
  expect(end.kind).toBe('completed')
  expect(new Set(listener.packets.map(({ payloadType }) => payloadType))).toEqual(new Set([8]))
  expect(loudness(speechIn(listener.packets)) / loudness(speech)).toBeGreaterThan(0.9)
})

test('lost packets are retransmitted, and each copy of an answer is acknowledged', async () => {
  await using listener = await startListener()
  let phonePort = 0
  await using relay = await startRelay(
    () => phonePort,
    (text, copies) => {
      if (text.startsWith('INVITE ')) return copies <= 2
      return /^(ACK|BYE) /.test(text) && copies === 1
    },
  )
  const headers = [`Record-Route: <sip:127.0.0.1:${relay.port};lr>`]
  const answer = respond(200, 'OK', { mediaPort: listener.port, retransmitMs: 1_000, headers })
  await using phone = await startPhone([receive('INVITE'), answer, receive('ACK'), ...okBye])
  phonePort = phone.port
  const { end } = await call(relay.port, { t1Ms: 500 })
  await phone.ended
  expect(end.kind).toBe('completed')
  const count = (method: string) => relay.packets.filter((text) => text.startsWith(method)).length
  expect({ invite: count('INVITE '), ack: count('ACK '), bye: count('BYE ') }).toEqual({ invite: 3, ack: 2, bye: 2 })
})

test.each([
  [486, 'Busy Here', { kind: 'busy', reason: '486 Busy Here' }],
  [600, 'Busy Everywhere', { kind: 'busy', reason: '600 Busy Everywhere' }],
  [480, 'Temporarily Unavailable', { kind: 'noAnswer', reason: '480 Temporarily Unavailable' }],
  [503, 'Service Unavailable', { kind: 'failed', reason: '503 Service Unavailable', final: false }],
  [404, 'Not Found', { kind: 'failed', reason: '404 Not Found', final: true }],
])('%i %s ends the call', async (status, reason, expected) => {
  await using phone = await startPhone([
    receive('INVITE'),
    respond(100, 'Trying'),
    respond(status, reason, { retransmitMs: 500 }),
    receive('ACK'),
  ])
  expect(await call(phone.port)).toEqual({ states: [], end: expected })
  await phone.ended
})

test('a call that nobody answers is cancelled', async () => {
  await using phone = await startPhone(ringsUntilCancelled)
  const { states, end } = await call(phone.port, { ringSeconds: 1 })
  await phone.ended
  expect(states).toEqual(['ringing'])
  expect(end).toEqual({ kind: 'noAnswer', reason: 'Nobody answered in time.' })
})

test('a callee that answers while the call is cancelled is acknowledged and hung up on', async () => {
  await using phone = await startPhone([
    receive('INVITE'),
    respond(180, 'Ringing'),
    receive('CANCEL'),
    respond(200, 'OK'),
    respond(200, 'OK', { mediaPort: 9, retransmitMs: 500, sequence: 'CSeq: 1 INVITE' }),
    receive('ACK'),
    ...okBye,
  ])
  expect(await call(phone.port, { ringSeconds: 1 })).toMatchObject({ states: ['ringing'], end: { kind: 'noAnswer' } })
  await phone.ended
})

test('an unreachable trunk is given up after 64 times T1', async () => {
  const started = performance.now()
  const { end } = await call(9, { t1Ms: 10 })
  expect(end).toEqual({ kind: 'failed', reason: 'The trunk does not answer.', final: false })
  expect(performance.now() - started).toBeGreaterThan(630)
  expect((await call(9, { ringSeconds: 1 })).end, 'or at the end of the ringing time').toEqual(end)
})

test('playback stops when the callee hangs up', async () => {
  await using listener = await startListener()
  await using phone = await startPhone([
    receive('INVITE', saveAddresses),
    respond(200, 'OK', { mediaPort: listener.port, retransmitMs: 500 }),
    receive('ACK'),
    wait(600),
    hangUp(),
    '<recv response="200"></recv>',
  ])
  const audio = joined(...Array.from({ length: 30 }, () => speech))
  const { states, end } = await call(phone.port, { audio })
  await phone.ended
  expect(states).toEqual(['answered'])
  expect(end).toMatchObject({ kind: 'completed', endedBy: 'callee' })
  const seconds = secondsOf(soundOf(listener.packets))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThan(0.7 * secondsOf(audio))
})

test.each([
  ['MD5', 401, 'WWW-Authenticate', 'Authorization'],
  ['SHA-256', 407, 'Proxy-Authenticate', 'Proxy-Authorization'],
] as const)(
  'a trunk that requires authentication gets a digest: %s',
  async (algorithm, status, challengeHeader, header) => {
    await using listener = await startListener()
    const challenge = `${challengeHeader}: Digest realm="trunk", nonce="n1", algorithm=${algorithm}, qop="auth"`
    const proof = `username="icosa", realm="trunk", nonce="n1".*algorithm=${algorithm}`
    const hasProof = `<ereg regexp='${proof}' search_in="hdr" header="${header}:" check_it="true" assign_to="a"/>`
    const isMd5 = algorithm === 'MD5' // the only algorithm that SIPp can verify
    const verifyProof = isMd5 ? '<verifyauth assign_to="ok" username="icosa" password="secret"/>' : ''
    const hangUpUnless =
      '<nop test="ok" next="1"/><nop><action><exec int_cmd="stop_now"/></action></nop><label id="1"/>'
    await using phone = await startPhone([
      receive('INVITE'),
      respond(status, 'Who are you?', { retransmitMs: 500, headers: [challenge] }),
      receive('ACK'),
      receive('INVITE', `<action>${hasProof}${verifyProof}</action>`),
      ...(isMd5 ? [hangUpUnless] : []),
      '<Reference variables="a"/>',
      respond(200, 'OK', { mediaPort: listener.port, retransmitMs: 500 }),
      receive('ACK'),
      ...okBye,
    ])
    const { end } = await call(phone.port, { trunk: { user: 'icosa', password: 'secret' } })
    await phone.ended
    expect(end.kind).toBe('completed')
  },
)

test('a wrong password is tried once', async () => {
  const challenge = 'WWW-Authenticate: Digest realm="trunk", nonce="n1"'
  const refused = respond(401, 'Unauthorized', { retransmitMs: 500, headers: [challenge] })
  await using phone = await startPhone([
    receive('INVITE'),
    refused,
    receive('ACK'),
    receive('INVITE'),
    refused,
    receive('ACK'),
  ])
  const { end } = await call(phone.port, { trunk: { user: 'icosa', password: 'wrong' } })
  await phone.ended
  expect(end).toEqual({ kind: 'failed', reason: '401 Unauthorized', final: true })
})

test('a call to a phone with unsupported codecs fails', async () => {
  await using phone = await startPhone([
    receive('INVITE'),
    respond(200, 'OK', { mediaPort: 9, payloadTypes: '9', retransmitMs: 500 }),
    receive('ACK'),
    ...okBye,
  ])
  expect((await call(phone.port)).end).toMatchObject({ kind: 'failed', final: true })
  await phone.ended
})

test('malformed and unrelated packets are ignored', async () => {
  await using listener = await startListener()
  await using phone = await startPhone([
    receive('INVITE'),
    respond(180, 'Ringing'),
    wait(500),
    respond(200, 'OK', { mediaPort: listener.port, retransmitMs: 500 }),
    receive('ACK'),
    ...okBye,
  ])
  let isNoisy = false
  await using relay = await startRelay(
    () => phone.port,
    (text) => {
      if (!isNoisy && text.startsWith('SIP/2.0 180')) {
        isNoisy = true
        makeNoise(relay.inject, text)
      }
      return text.startsWith('SIP/2.0 4') // our answers to unrelated requests
    },
  )
  const { states, end } = await call(relay.port)
  await phone.ended
  expect(isNoisy).toBe(true)
  expect(states).toEqual(['ringing', 'answered'])
  expect(end.kind).toBe('completed')
})

/** Packets as sent by scanners and broken proxies, and random ones. */
function makeNoise(inject: (packet: Buffer | string) => void, real: string): void {
  for (const junk of ['', '\r\n\r\n', '\0', 'INVITE', 'SIP/2.0 200 OK\r\n\r\n', 'SIP/2.0 999 x\r\nVia: x\r\n\r\n'])
    inject(junk)
  for (const header of ['Via', 'From', 'To', 'Call-ID', 'CSeq'])
    inject(real.replace(new RegExp(`^${header}:.*$`, 'm'), `${header}: ;;<>"`))
  const unrelated = real.replace('SIP/2.0 180 Ringing', 'BYE sip:icosa@127.0.0.1 SIP/2.0').replace('1 INVITE', '9 BYE')
  for (const request of [unrelated, unrelated.replaceAll('BYE', 'INVITE'), unrelated.replaceAll('BYE', 'NONSENSE')])
    inject(request)
  inject(real.replace('180 Ringing', '200 OK').replace(/branch=\w+/, 'branch=z9hG4bKother'))
  for (let length = 0; length < real.length; length += 7) inject(real.slice(0, length))
  for (let count = 0; count < 300; count++) inject(randomBytes(1 + count))
}
