import { join } from 'node:path'
import { brokerNeed } from '@icosa/brokers/operator'
import { found, missing, type Need, programNeed, type ServiceModule } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { defaultSettings, settings } from './settings.ts'

type Values = ValuesOf<typeof settings>

const trunk: Need<Values> = {
  name: 'SIP trunk',
  purpose: 'places the calls; without one, messages are refused or, in development mode, simulated',
  isOptional: true,
  remedy:
    'Set ICOSA_VOICE_TRUNK to the SIP address of a provider or an exchange, such as sip://user:password@sip.example.com.',
  check: async (values) =>
    values.trunk ? found(`${values.trunk.host}:${values.trunk.port}`) : missing('ICOSA_VOICE_TRUNK is not set'),
}

const speech = programNeed(
  { names: ['espeak-ng'] },
  {
    purpose: 'speaks the messages',
    remedy: {
      debian: 'sudo apt install espeak-ng',
      macos: 'brew install espeak-ng',
      windows: 'winget install eSpeak-NG.eSpeak-NG',
      other: 'https://github.com/espeak-ng/espeak-ng/releases',
    },
  },
)

export const module: ServiceModule<Values> = {
  settings,
  async create(values, { region, developmentDirectory }) {
    const { voiceMessaging } = await import('./index.ts')
    const logs =
      values.logs ?? (developmentDirectory === undefined ? 'stdout' : join(developmentDirectory, 'voice-logs'))
    return voiceMessaging({ ...defaultSettings, ...values, logs, region })
  },
  gaps: () => import('./unsupported.ts'),
  journal: () => import('./calls/journal.ts'),
  async inspect({ trunk, simulate }) {
    return trunk || simulate ? [] : ['voice-messaging refuses messages: ICOSA_VOICE_TRUNK is not set.']
  },
  needs: [speech, trunk, brokerNeed('broker of topics', 'takes the events of calls', ({ topics }) => [topics])],
}
