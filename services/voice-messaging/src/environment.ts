import { defaultSettings, type TrunkSettings, type VoiceSettings } from './settings.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Settings as an operator writes them into the environment, each `ICOSA_VOICE_...`. What is not there is as usual. */
export function settingsFrom(env: Env, usual: VoiceSettings = defaultSettings): VoiceSettings {
  const { ICOSA_VOICE_TRUNK: trunk, ICOSA_VOICE_STREAMS: streams } = env
  const [first, last] = numbers(env, 'ICOSA_VOICE_RTP_PORTS', '-', [usual.rtpPorts.first, usual.rtpPorts.last])
  const [perSecond, burst] = numbers(env, 'ICOSA_VOICE_RATE', '/', [usual.rate.perSecond, usual.rate.burst])
  return {
    ...usual,
    trunk: trunk ? readTrunk(trunk) : usual.trunk,
    sip: {
      port: number(env, 'ICOSA_VOICE_SIP_PORT', usual.sip.port),
      address: env.ICOSA_VOICE_SIP_ADDRESS || usual.sip.address,
    },
    rtpPorts: { first, last },
    callsAtOnce: number(env, 'ICOSA_VOICE_CALLS', usual.callsAtOnce),
    ringSeconds: number(env, 'ICOSA_VOICE_RING_SECONDS', usual.ringSeconds),
    retrySeconds: list(env, 'ICOSA_VOICE_RETRY_SECONDS', usual.retrySeconds),
    rate: { perSecond, burst },
    logs: env.ICOSA_VOICE_LOGS || usual.logs,
    streams: streams ? readStreams(streams) : usual.streams,
    topics: env.ICOSA_VOICE_TOPICS || usual.topics,
  }
}

/** `sip://user:password@host:5060?domain=example.com`; all but the host may be left out. */
function readTrunk(text: string): TrunkSettings {
  const url = URL.parse(text.replace(/^sip:(?!\/\/)/, 'sip://'))
  if (url?.protocol !== 'sip:' || !url.hostname) refuse('ICOSA_VOICE_TRUNK', 'sip://user:password@sip.example.com:5060')
  return {
    host: url.hostname,
    port: Number(url.port || 5060),
    ...(url.username && { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }),
    ...(url.searchParams.has('domain') && { domain: url.searchParams.get('domain') ?? '' }),
  }
}

function readStreams(text: string): Readonly<Record<string, string>> {
  try {
    const streams = JSON.parse(text)
    if (Object.values(streams).every((url) => typeof url === 'string')) return streams
  } catch {
    // said below
  }
  refuse('ICOSA_VOICE_STREAMS', '{"calls":"https://collector.example/events"}')
}

function list(env: Env, name: string, usual: readonly number[]): readonly number[] {
  const text = env[name]
  if (text === undefined || text === '') return usual
  if (text === 'none') return []
  if (!/^\d{1,7}(,\d{1,7})*$/.test(text)) refuse(name, '60,300, or none')
  return text.split(',').map(Number)
}

const number = (env: Env, name: string, usual: number) => (env[name] ? numbers(env, name, ',', [usual])[0] : usual)

function numbers<const N extends readonly number[]>(env: Env, name: string, between: string, usual: N): N {
  const text = env[name]
  if (!text) return usual
  const found = text.split(between)
  if (found.length !== usual.length || !found.every((one) => /^\d{1,9}$/.test(one))) refuse(name, usual.join(between))
  return found.map(Number) as unknown as N // as many as usual
}

function refuse(name: string, such: string): never {
  throw new Error(`${name} cannot be read: set it to such as ${such}.`) // without its value: it may hold a password
}
