import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressIn, headerOf, headersOf, isResponse, readMessage, readUri } from './message.ts'
import { offer, readAnswer } from './sdp.ts'

const ringing = [
  'SIP/2.0 180 Ringing',
  'v: SIP/2.0/UDP 127.0.0.1:5060;branch=z9hG4bK1;rport=5060',
  'Via: SIP/2.0/UDP proxy, SIP/2.0/UDP "a, b"',
  'f: "A, \\"B\\"; tag=no" <sip:a@x;tag=no>;tag=from',
  'To : <sip:b@y>',
  '  ;tag=to',
  'i: call-1',
  'CSeq: 7 INVITE',
  'Record-Route: <sip:p1;lr>, <sip:p2:5070;lr>',
  'm: <sip:b@10.0.0.1:5080>;expires=1',
  'Content-Length: 0',
]
const packet = (lines: readonly string[], body = '') => Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)

test('a message with compact names and folded lines is parsed', () => {
  const message = readMessage(packet(ringing, 'v=0\r\n'))
  expect(message).toMatchObject({
    status: 180,
    reason: 'Ringing',
    method: 'INVITE',
    sequence: 7,
    callId: 'call-1',
    branch: 'z9hG4bK1',
    fromTag: 'from',
    toTag: 'to',
    body: 'v=0\r\n',
  })
  if (!message || !isResponse(message)) throw new Error('It is a response.')
  expect(headersOf(message, 'record-route')).toEqual(['<sip:p1;lr>', '<sip:p2:5070;lr>'])
  expect(headersOf(message, 'via')).toHaveLength(3)
  expect(addressIn(headerOf(message, 'contact') ?? '')).toBe('sip:b@10.0.0.1:5080')
})

test('messages without a required header, and oversized ones, are ignored', () => {
  for (const name of ['v', 'f', 'To ', 'i', 'CSeq']) {
    const lines = ringing.filter((line) => !line.startsWith(`${name}:`) && !(name === 'v' && line.startsWith('Via:')))
    expect(readMessage(packet(lines)), name).toBeUndefined()
  }
  expect(readMessage(packet([...ringing, `X: ${'x'.repeat(3_000)}`]))).toBeUndefined()
  expect(readMessage(packet(ringing, 'x'.repeat(20_000)))).toBeUndefined()
  expect(
    readMessage(packet(['BYE sip:a SIP/2.0', ...ringing.slice(1)])),
    'another method than its CSeq',
  ).toBeUndefined()
})

test('parsing any input neither throws nor takes long', () => {
  const real = packet(ringing, offer('127.0.0.1', 4_000, 1))
  const mutated = fc
    .array(fc.tuple(fc.nat(real.length - 1), fc.constantFrom(...'<>"\\,;:=@ \r\n\0aé')), { maxLength: 40 })
    .map((changes) => {
      const text = [...real.toString('latin1')]
      for (const [at, char] of changes) text[at] = char
      return Buffer.from(text.join(''), 'latin1')
    })
  fc.assert(
    fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 300 }).map(Buffer.from)), (bytes) => {
      const message = readMessage(bytes)
      if (message) readAnswer(message.body)
    }),
    { numRuns: 3_000 },
  )
  for (const piece of ['<', '"', '"\\', ' ', ',', ';tag='])
    expect(readMessage(packet([...ringing, `Route: ${piece.repeat(1_900 / piece.length)}`]))).toBeTruthy()
})

test.each([
  ['sip:bob@example.com', { host: 'example.com', port: 5060 }],
  ['sip:10.0.0.1:5080;lr', { host: '10.0.0.1', port: 5080, parameters: ';lr' }],
  ['SIP:+49;x=1@example.com:1;a?b=c', { host: 'example.com', port: 1 }],
])('%s is a SIP address', (text, expected) => {
  expect(readUri(text)).toMatchObject(expected)
})

test.each(['', 'tel:+49', 'sip:', 'sip:a@b:99999', 'sip:a b@c', 'sip:[::1]'])('%j is not a SIP address', (text) => {
  expect(readUri(text)).toBeUndefined()
})

test.each([
  ['v=0\nc=IN IP4 10.0.0.1\nm=audio 4000 RTP/AVP 8 0\n', { address: '10.0.0.1', port: 4000, payloadType: 8 }],
  [
    'v=0\r\nc=IN IP4 10.0.0.1\r\nm=video 1 RTP/AVP 99\r\nm=audio 4000/1 RTP/AVP 101 0\r\nc=IN IP4 10.0.0.2\r\n',
    { address: '10.0.0.2', port: 4000, payloadType: 0 },
  ],
  ['c=IN IP4 10.0.0.1\nm=audio 0 RTP/AVP 0\n', undefined],
  ['c=IN IP4 0.0.0.0\nm=audio 4000 RTP/AVP 0\n', undefined],
  ['c=IN IP4 10.0.0.1\nm=audio 4000 RTP/AVP 9 18\n', undefined],
  ['c=IN IP4 10.0.0.1\nm=audio 4000 RTP/SAVP 0\n', undefined],
  ['c=IN IP6 ::1\nm=audio 4000 RTP/AVP 0\n', undefined],
  ['', undefined],
])('the SDP answer %j is parsed', (body, expected) => {
  expect(readAnswer(body)).toEqual(expected)
})
