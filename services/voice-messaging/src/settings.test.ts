import { expect, test } from 'vitest'
import { settings } from './settings.ts'

test('settings are parsed from the environment', () => {
  const values = settings.read({
    ICOSA_VOICE_TRUNK: 'sip://icosa:p%40ss@sip.example.com:5070?domain=example.com',
    ICOSA_VOICE_SIP_PORT: '5060',
    ICOSA_VOICE_SIP_ADDRESS: '203.0.113.5',
    ICOSA_VOICE_RTP_PORTS: '40000-40100',
    ICOSA_VOICE_CALLS: '20',
    ICOSA_VOICE_RING_SECONDS: '30',
    ICOSA_VOICE_RETRY_SECONDS: '10,20,30',
    ICOSA_VOICE_RATE: '1/5',
    ICOSA_VOICE_LOGS: 'stdout',
    ICOSA_VOICE_STREAMS: '{"calls":"https://collector.example/"}',
    ICOSA_VOICE_TOPICS: 'amqp://127.0.0.1',
  })
  expect(values).toEqual({
    trunk: { host: 'sip.example.com', port: 5070, user: 'icosa', password: 'p@ss', domain: 'example.com' },
    simulate: false,
    sip: { port: 5060, address: '203.0.113.5' },
    rtpPorts: { first: 40_000, last: 40_100 },
    maxCalls: 20,
    ringSeconds: 30,
    retrySeconds: [10, 20, 30],
    rate: { perSecond: 1, burst: 5 },
    logs: 'stdout',
    streams: { calls: 'https://collector.example/' },
    topics: 'amqp://127.0.0.1',
  })
  expect(settings.read({ ICOSA_VOICE_TRUNK: 'sip:pbx' }).trunk).toEqual({ host: 'pbx', port: 5060 })
  expect(settings.read({ ICOSA_VOICE_RETRY_SECONDS: 'none' }).retrySeconds).toEqual([])
})

test.each([
  ['ICOSA_VOICE_TRUNK', 'https://icosa:hidden@example.com'],
  ['ICOSA_VOICE_TRUNK', 'sip://icosa:hidden@a b'],
  ['ICOSA_VOICE_TOPICS', 'https://icosa:hidden@example.com'],
  ['ICOSA_VOICE_RTP_PORTS', '40000'],
  ['ICOSA_VOICE_RTP_PORTS', '40000-40000'],
  ['ICOSA_VOICE_RTP_PORTS', '40000-70000'],
  ['ICOSA_VOICE_CALLS', 'many'],
  ['ICOSA_VOICE_RETRY_SECONDS', '1;2'],
  ['ICOSA_VOICE_RATE', '-1/5'],
  ['ICOSA_VOICE_RATE', '0/5'],
  ['ICOSA_VOICE_STREAMS', 'calls'],
  ['ICOSA_VOICE_STREAMS', '{"calls":1}'],
  ['ICOSA_VOICE_STREAMS', '{"calls":"ftp://example.com"}'],
])('%s=%s is refused by name, without revealing a password', (name, value) => {
  expect(() => settings.read({ [name]: value })).toThrow(new RegExp(`^${name} .*et it to .*, such as `))
  expect(() => settings.read({ [name]: value })).not.toThrow(/hidden/)
})

test('calls are simulated by default in development mode only', () => {
  expect(settings.read({}).simulate).toBe(false)
  expect(settings.read({}, { development: true }).simulate).toBe(true)
  expect(settings.read({ ICOSA_VOICE_SIMULATE: 'true' }).simulate).toBe(true)
})
