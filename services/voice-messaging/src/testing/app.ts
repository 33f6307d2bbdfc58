import { client } from '@icosa/client'
import type { NodeOptions } from '@icosa/kernel'
import { credentialsFor, startTestApp, type TestApp } from '@icosa/testing'
import { expect } from 'vitest'
import { configurationSets, eventDestinations, messages } from '../contract.ts'
import { defaultSettings, type VoiceSettings, voiceMessaging } from '../index.ts'

export interface World extends AsyncDisposable {
  readonly app: TestApp
  /** Returns a client of a tenant with all operations. */
  caller(tenant?: string, permissions?: readonly string[]): ReturnType<typeof callerOf>
}

export async function startVoice(
  settings: Partial<VoiceSettings> = {},
  options: Partial<Omit<NodeOptions, 'services'>> = {},
): Promise<World> {
  const service = voiceMessaging({ ...defaultSettings, simulate: true, ...settings })
  const app = await startTestApp({ services: [service], ...options })
  return {
    app,
    caller: (tenant = 'acme', permissions) => callerOf(app, service, tenant, permissions),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

async function callerOf(...[app, service, tenant, permissions]: Parameters<typeof credentialsFor>) {
  const target = await credentialsFor(app, service, tenant, permissions)
  return client({ ...configurationSets, ...eventDestinations, ...messages }, target)
}

export type Caller = Awaited<ReturnType<World['caller']>>

/** A refusal as received by a client. */
export const refusal = (status: number, name: string, message: RegExp = /./) => ({
  status,
  body: { __type: name, Message: expect.stringMatching(message) },
})

export const topic = (name: string) => ({ SnsDestination: { TopicArn: `arn:aws:sns:us-east-1:acme:${name}` } })
export const stream = (name: string) => ({
  KinesisFirehoseDestination: { DeliveryStreamArn: `arn:aws:firehose:us-east-1:acme:deliverystream/${name}` },
})
export const log = (group: string) => ({
  CloudWatchLogsDestination: { LogGroupArn: `arn:aws:logs:us-east-1:acme:log-group:${group}` },
})

/** A short message. */
export const hello = {
  DestinationPhoneNumber: '+493012345678',
  OriginationPhoneNumber: '+12065550100',
  Content: { PlainTextMessage: { Text: 'Hello.' } },
}
