import { type Client, client, type Target } from '@icosa/client'
import type { NodeOptions } from '@icosa/kernel'
import { credentialsFor, startTestApp, type TestApp } from '@icosa/testing'
import * as contracts from '../contract.ts'
import { eventDetection } from '../index.ts'
import { defaultSettings, type EventDetectionSettings } from '../settings.ts'

export interface EventApp extends TestApp {
  target(tenant?: string): Promise<Target>
  caller(tenant?: string): Promise<Calls>
}

const { messages, detectors, alarms, inputs, detectorModels, alarmModels, analysis, tags, logging, deliveryFailures } =
  contracts
const contract = {
  ...messages,
  ...detectors,
  ...alarms,
  ...inputs,
  ...detectorModels,
  ...alarmModels,
  ...analysis,
  ...tags,
  ...logging,
  ...deliveryFailures,
}
export type Calls = Client<typeof contract>

export const callsOf = (target: Target): Calls => client(contract, target)

export async function start(
  settings: Partial<EventDetectionSettings> = {},
  options: Partial<Omit<NodeOptions, 'services'>> = {},
): Promise<EventApp> {
  const service = eventDetection({ ...defaultSettings, ...settings })
  const app = await startTestApp({ services: [service], ...options })
  const target = (tenant = 'acme') => credentialsFor(app, service, tenant)
  return { ...app, target, caller: async (tenant) => callsOf(await target(tenant)) }
}

export const roleArn = 'arn:aws:iam::acme:role/events'

export const message = (messageId: string, inputName: string, payload: unknown) => ({
  messageId,
  inputName,
  payload: Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)).toString('base64'),
})
