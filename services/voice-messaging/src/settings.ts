import { isBroker } from '@icosa/brokers'

/** Whose line calls go out by: a provider, or an exchange of one's own. */
export interface TrunkSettings {
  readonly host: string
  readonly port: number
  readonly user?: string | undefined
  readonly password?: string | undefined
  /** The domain of the numbers in SIP addresses; the host if not given. */
  readonly domain?: string | undefined
}

/** What an operator decides about voice messages. */
export interface VoiceSettings {
  readonly region: string
  /** Without one, calls are answered by a sink that keeps what a listener would hear. */
  readonly trunk?: TrunkSettings | undefined
  /** Our own port for SIP (0: any), and the address that the trunk is told, if it is not the one that it sees. */
  readonly sip: { readonly port: number; readonly address?: string | undefined }
  readonly rtpPorts: { readonly first: number; readonly last: number }
  /** How many calls a node holds at the same time. */
  readonly callsAtOnce: number
  readonly ringSeconds: number
  /** How long after an attempt that reached nobody the next one follows; as many as there are pauses. */
  readonly retrySeconds: readonly number[]
  /** How many messages an account may send. */
  readonly rate: { readonly perSecond: number; readonly burst: number }
  readonly limits: { readonly configurationSets: number; readonly eventDestinations: number }
  /** A directory for the files of log groups, or `stdout`. */
  readonly logs: string
  /** Where the batches of a stream go, by `stream` or `account/stream`. */
  readonly streams: Readonly<Record<string, string>>
  /** The broker to which topics belong. */
  readonly topics: string
}

export const defaultSettings: VoiceSettings = {
  region: 'us-east-1',
  sip: { port: 0 },
  rtpPorts: { first: 20_000, last: 29_999 },
  callsAtOnce: 100,
  ringSeconds: 45,
  retrySeconds: [60, 300],
  rate: { perSecond: 10, burst: 100 },
  limits: { configurationSets: 10_000, eventDestinations: 10 },
  logs: '.icosa/voice-logs',
  streams: {},
  topics: 'nats://127.0.0.1:4222',
}

/** At the start, not at the first call. */
export function checkSettings({ topics, streams, rtpPorts, rate, trunk }: VoiceSettings): void {
  if (!isBroker(topics)) wrong(`The broker of topics is '${topics}'`, 'nats://127.0.0.1:4222')
  for (const [name, url] of Object.entries(streams))
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      wrong(`The stream ${name} goes to '${url}'`, 'https://collector.example/events')
  if (!(rtpPorts.first > 0 && rtpPorts.last <= 65_535 && rtpPorts.last - rtpPorts.first >= 2))
    wrong(`The ports for sound are ${rtpPorts.first} to ${rtpPorts.last}`, '20000 to 29999')
  if (!(rate.perSecond > 0 && rate.burst >= 1)) wrong(`The rate is ${rate.perSecond}/${rate.burst}`, '10/100')
  if (trunk && !/^[A-Za-z0-9.-]+$/.test(trunk.host)) wrong(`The trunk is '${trunk.host}'`, 'sip.example.com')
}

function wrong(what: string, such: string): never {
  throw new Error(`${what}, which does not work for voice messages: set it to such as ${such}.`)
}
