import { expect, test } from 'vitest'
import { settingsFrom } from './environment.ts'
import { checkSettings, defaultSettings } from './settings.ts'

test('without any setting all is as usual, and can be used', () => {
  expect(settingsFrom({})).toEqual(defaultSettings)
  expect(() => checkSettings(defaultSettings)).not.toThrow()
})

test('settings are read from the environment', () => {
  const settings = settingsFrom({
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
  expect(settings).toEqual({
    ...defaultSettings,
    trunk: { host: 'sip.example.com', port: 5070, user: 'icosa', password: 'p@ss', domain: 'example.com' },
    sip: { port: 5060, address: '203.0.113.5' },
    rtpPorts: { first: 40_000, last: 40_100 },
    callsAtOnce: 20,
    ringSeconds: 30,
    retrySeconds: [10, 20, 30],
    rate: { perSecond: 1, burst: 5 },
    logs: 'stdout',
    streams: { calls: 'https://collector.example/' },
    topics: 'amqp://127.0.0.1',
  })
  expect(() => checkSettings(settings)).not.toThrow()
  expect(settingsFrom({ ICOSA_VOICE_TRUNK: 'sip:pbx' }).trunk).toEqual({ host: 'pbx', port: 5060 })
  expect(settingsFrom({ ICOSA_VOICE_RETRY_SECONDS: 'none' }).retrySeconds).toEqual([])
})

test.each([
  ['ICOSA_VOICE_TRUNK', 'https://icosa:secret@example.com'],
  ['ICOSA_VOICE_RTP_PORTS', '40000'],
  ['ICOSA_VOICE_CALLS', 'many'],
  ['ICOSA_VOICE_RETRY_SECONDS', '1;2'],
  ['ICOSA_VOICE_RATE', '-1/5'],
  ['ICOSA_VOICE_STREAMS', 'calls'],
  ['ICOSA_VOICE_STREAMS', '{"calls":1}'],
])('%s=%s is refused by its name, without its value', (name, value) => {
  expect(() => settingsFrom({ [name]: value })).toThrow(new RegExp(`^${name} cannot be read: set it to such as`))
  expect(() => settingsFrom({ [name]: value })).not.toThrow(/secret/)
})

test.each([
  [{ topics: 'https://example.com' }, /broker of topics/],
  [{ streams: { calls: 'ftp://example.com' } }, /stream calls/],
  [{ rtpPorts: { first: 40_000, last: 40_000 } }, /ports for sound/],
  [{ rate: { perSecond: 0, burst: 5 } }, /rate/],
  [{ trunk: { host: 'a b', port: 5060 } }, /trunk/],
])('%j cannot be used', (wrong, says) => {
  expect(() => checkSettings({ ...defaultSettings, ...wrong })).toThrow(says)
})
