import { brokerAddress } from '@icosa/brokers/operator'
import {
  boolean,
  group,
  json,
  list,
  matching,
  Refusal,
  rate,
  setting,
  text,
  type ValuesOf,
  wholeNumber,
} from '@icosa/settings'

/** A SIP trunk of a provider or a PBX. */
export interface TrunkSettings {
  readonly host: string
  readonly port: number
  readonly user?: string | undefined
  readonly password?: string | undefined
  /** Domain of phone numbers in SIP addresses; the host by default. */
  readonly domain?: string | undefined
}

const trunk = matching(
  /^sip:(?:\/\/)?(.+)$/,
  {
    is: 'a SIP address, of which only the host is required',
    example: 'sip://user:password@sip.example.com:5060?domain=example.com',
  },
  ([, rest]): TrunkSettings => {
    const url = URL.parse(`sip://${rest}`)
    if (!url || !/^[A-Za-z0-9.-]+$/.test(url.hostname)) throw new Refusal()
    return {
      host: url.hostname,
      port: Number(url.port || 5060),
      ...(url.username && { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }),
      ...(url.searchParams.has('domain') && { domain: url.searchParams.get('domain') ?? '' }),
    }
  },
)

const portRange = matching(
  /^(\d{1,5})-(\d{1,5})$/,
  { is: 'a first and a last port from 1 to 65535, at least two apart', example: '20000-29999' },
  ([, first, last]) => {
    const range = { first: Number(first), last: Number(last) }
    if (range.first < 1 || range.last > 65_535 || range.last - range.first < 2) throw new Refusal()
    return range
  },
)

const pauses = list(wholeNumber({ to: 9_999_999, unit: 'seconds' }))
const pausesOrNone = {
  is: 'whole numbers of seconds separated by commas, or none',
  example: '60,300',
  read: (value: string) => (value === 'none' ? [] : pauses.read(value)),
}

const streams = json<Readonly<Record<string, string>>>(
  {
    is: 'an object of JSON with an http(s) address for each stream',
    example: '{"calls":"https://collector.example/events"}',
  },
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refusal()
    const addresses = Object.values(value).map((address) => URL.parse(String(address))?.protocol ?? '')
    if (!addresses.every((protocol) => /^https?:$/.test(protocol))) throw new Refusal()
    return value as Readonly<Record<string, string>>
  },
)

export const settings = group({
  trunk: setting('ICOSA_VOICE_TRUNK', trunk, {
    otherwise: 'messages are refused with 503, or simulated (`ICOSA_VOICE_SIMULATE`)',
    secret: true,
    meaning: 'The SIP trunk through which calls are placed: that of a provider, or your own PBX.',
  }),
  simulate: setting('ICOSA_VOICE_SIMULATE', boolean, {
    default: 'false',
    development: 'true',
    meaning: 'Whether, without a trunk, calls are simulated by a sink that records the audio.',
  }),
  sip: {
    port: setting('ICOSA_VOICE_SIP_PORT', wholeNumber({ to: 65_535 }), {
      default: '0',
      example: '5060',
      meaning: 'The local SIP port; 0 is any free one.',
    }),
    address: setting('ICOSA_VOICE_SIP_ADDRESS', text({ is: 'an address', example: '203.0.113.5' }), {
      otherwise: 'the local address that reaches the trunk',
      meaning: 'The address announced to the trunk: behind NAT, the public one.',
    }),
  },
  rtpPorts: setting('ICOSA_VOICE_RTP_PORTS', portRange, {
    default: '20000-29999',
    meaning: 'The RTP ports, of which the even ones are used.',
  }),
  maxCalls: setting('ICOSA_VOICE_CALLS', wholeNumber({ from: 1, to: 100_000 }), {
    default: '100',
    meaning: 'Maximum number of concurrent calls of a node.',
  }),
  ringSeconds: setting('ICOSA_VOICE_RING_SECONDS', wholeNumber({ from: 1, to: 600, unit: 'seconds' }), {
    default: '45',
    meaning: 'How long a call rings.',
  }),
  retrySeconds: setting('ICOSA_VOICE_RETRY_SECONDS', pausesOrNone, {
    default: '60,300',
    meaning: 'Pauses before the retries of an unsuccessful call; there are as many retries as pauses.',
  }),
  rate: setting('ICOSA_VOICE_RATE', rate, {
    default: '10/100',
    example: '10/100',
    meaning: 'Messages that an account may send per second, and in a burst.',
  }),
  logs: setting('ICOSA_VOICE_LOGS', text({ is: 'a folder, or stdout', example: '/var/log/icosa/voice' }), {
    otherwise: '`stdout`; `dev`: the folder `voice-logs` of the data folder',
    meaning: 'Where log groups are written: files in a folder, or `stdout`.',
  }),
  streams: setting('ICOSA_VOICE_STREAMS', streams, {
    default: '{}',
    meaning: 'URLs that receive the batches of streams, by `stream` or `account/stream`.',
  }),
  topics: setting('ICOSA_VOICE_TOPICS', brokerAddress, {
    default: 'nats://127.0.0.1:4222',
    secret: true,
    meaning: 'The broker of topics.',
  }),
})

type Values = ValuesOf<typeof settings>

export interface VoiceSettings extends Omit<Values, 'trunk' | 'sip' | 'logs'> {
  readonly region: string
  readonly trunk?: TrunkSettings | undefined
  readonly sip: { readonly port: number; readonly address?: string | undefined }
  readonly logs: string
  /** Speech synthesis program. */
  readonly engine: string
  readonly limits: { readonly configurationSets: number; readonly eventDestinations: number }
}

export const isSimulated = ({ trunk, simulate }: Pick<VoiceSettings, 'trunk' | 'simulate'>) => !trunk && simulate

export const defaultSettings: VoiceSettings = {
  ...settings.read({}),
  region: 'us-east-1',
  logs: '.icosa/voice-logs',
  engine: 'espeak-ng',
  limits: { configurationSets: 10_000, eventDestinations: 10 },
}
