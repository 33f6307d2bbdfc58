import { isBroker } from '@icosa/brokers/operator'
import { group, json, Refusal, setting, type ValuesOf } from '@icosa/settings'
import { deliveryKinds } from './models/actions/contract.ts'

export type Targets = Readonly<Record<string, string>>

export const settings = group({
  targets: setting(
    'ICOSA_EVENT_TARGETS',
    json<Targets>(
      {
        is: 'an object of JSON with the address of each target',
        example: '{"sns:alerts":"nats://127.0.0.1:4222","lambda:*":"https://functions.example.com/{name}"}',
      },
      readTargets,
    ),
    {
      default: '{}',
      secret: true,
      meaning:
        'Addresses of the targets of detectors and alarms, by kind and name: a broker or an http(s) URL. `*` matches every name that is not listed. Deliveries to other targets fail.',
    },
  ),
})

export interface EventDetectionSettings extends ValuesOf<typeof settings> {
  readonly region: string
}

export const defaultSettings: EventDetectionSettings = { ...settings.read({}), region: 'us-east-1' }

function readTargets(value: unknown): Targets {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refusal()
  for (const [target, address] of Object.entries(value)) {
    const [kind = ''] = target.split(':', 1)
    if (!(deliveryKinds as readonly string[]).includes(kind) || !target.includes(':'))
      throw new Refusal(`'${target}' is not a target such as sns:alerts or lambda:*`)
    if (!isBroker(String(address)) && !/^https?:$/.test(URL.parse(String(address))?.protocol ?? ''))
      throw new Refusal(`the address of ${target} is neither a broker's nor one of http or https`)
  }
  return value as Targets
}
