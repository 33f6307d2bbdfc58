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

/** Whose line calls go out by: a provider, or an exchange of one's own. */
export interface TrunkSettings {
  readonly host: string
  readonly port: number
  readonly user?: string | undefined
  readonly password?: string | undefined
  /** The domain of the numbers in SIP addresses; the host if not given. */
  readonly domain?: string | undefined
}

const trunk = matching(
  /^sip:(?:\/\/)?(.+)$/,
  {
    is: 'a SIP address, of which all but the host may be left out',
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
  read: (given: string) => (given === 'none' ? [] : pauses.read(given)),
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

/** What an operator decides about voice messages. */
export const settings = group({
  trunk: setting('ICOSA_VOICE_TRUNK', trunk, {
    otherwise: 'messages are refused with 503, or simulated (`ICOSA_VOICE_SIMULATE`)',
    secret: true,
    meaning: 'The SIP trunk by which calls go out: a provider, or an exchange of your own.',
  }),
  simulate: setting('ICOSA_VOICE_SIMULATE', boolean, {
    default: 'false',
    development: 'true',
    meaning: 'Whether, without a trunk, calls are answered by a sink that records what a callee would have heard.',
  }),
  sip: {
    port: setting('ICOSA_VOICE_SIP_PORT', wholeNumber({ to: 65_535 }), {
      default: '0',
      example: '5060',
      meaning: 'Our own port for SIP; 0 takes any that is free.',
    }),
    address: setting('ICOSA_VOICE_SIP_ADDRESS', text({ is: 'an address', example: '203.0.113.5' }), {
      otherwise: 'the one towards the trunk',
      meaning: 'The address that we give the trunk as ours: behind NAT, the public one.',
    }),
  },
  rtpPorts: setting('ICOSA_VOICE_RTP_PORTS', portRange, {
    default: '20000-29999',
    meaning: 'The ports for sound, of which the even ones are used.',
  }),
  callsAtOnce: setting('ICOSA_VOICE_CALLS', wholeNumber({ from: 1, to: 100_000 }), {
    default: '100',
    meaning: 'How many calls a node holds at the same time.',
  }),
  ringSeconds: setting('ICOSA_VOICE_RING_SECONDS', wholeNumber({ from: 1, to: 600, unit: 'seconds' }), {
    default: '45',
    meaning: 'How long it rings.',
  }),
  retrySeconds: setting('ICOSA_VOICE_RETRY_SECONDS', pausesOrNone, {
    default: '60,300',
    meaning:
      'How long after an attempt that reached nobody the next one follows; there are as many further attempts as pauses.',
  }),
  rate: setting('ICOSA_VOICE_RATE', rate, {
    default: '10/100',
    example: '10/100',
    meaning: 'How many messages an account may send in a second, and how many at once.',
  }),
  logs: setting('ICOSA_VOICE_LOGS', text({ is: 'a folder, or stdout', example: '/var/log/icosa/voice' }), {
    otherwise: '`stdout`; `dev`: the folder `voice-logs` of the data folder',
    meaning: 'Where the lines of log groups go: into files of a folder, or to `stdout`.',
  }),
  streams: setting('ICOSA_VOICE_STREAMS', streams, {
    default: '{}',
    meaning: 'Where the batches of a stream go, by `stream` or `account/stream`.',
  }),
  topics: setting('ICOSA_VOICE_TOPICS', brokerAddress, {
    default: 'nats://127.0.0.1:4222',
    secret: true,
    meaning: 'The broker to which topics belong.',
  }),
})

type Values = ValuesOf<typeof settings>

export interface VoiceSettings extends Omit<Values, 'trunk' | 'sip' | 'logs'> {
  readonly region: string
  readonly trunk?: TrunkSettings | undefined
  readonly sip: { readonly port: number; readonly address?: string | undefined }
  readonly logs: string
  /** The program that speaks. */
  readonly engine: string
  readonly limits: { readonly configurationSets: number; readonly eventDestinations: number }
}

/** Whether calls only look as if somebody were called. */
export const isSimulated = ({ trunk, simulate }: Pick<VoiceSettings, 'trunk' | 'simulate'>) => !trunk && simulate

export const defaultSettings: VoiceSettings = {
  ...settings.read({}),
  region: 'us-east-1',
  logs: '.icosa/voice-logs',
  engine: 'espeak-ng',
  limits: { configurationSets: 10_000, eventDestinations: 10 },
}
