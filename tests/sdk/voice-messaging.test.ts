import * as sdk from '@aws-sdk/client-pinpoint-sms-voice'
import { defaultSettings, voiceMessaging } from '@icosa/voice-messaging'
import AWS from 'aws-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SignedPlatform, startSignedPlatform } from './signed-support.ts'
import { schemes } from './tls.ts'

let platform: SignedPlatform
const simulated = { ...defaultSettings, simulate: true }

beforeAll(async () => {
  platform = await startSignedPlatform([voiceMessaging(simulated)])
})
afterAll(() => platform[Symbol.asyncDispose]())

const destination = (MatchingEventTypes: sdk.EventType[]) => ({
  Enabled: true,
  MatchingEventTypes,
  SnsDestination: { TopicArn: 'arn:aws:sns:us-east-1:123456789012:calls' },
})
const hello = {
  DestinationPhoneNumber: '+12065550101',
  OriginationPhoneNumber: '+12065550100',
  Content: { PlainTextMessage: { LanguageCode: 'en-US', Text: 'Hello.', VoiceId: 'Joanna' } },
}

// Version 3 has one release.
describe.each(schemes)('version 3 of the SDK over %s', (scheme) => {
  const client = () => new sdk.PinpointSMSVoice(platform.over(scheme))

  test('configuration sets and their destinations are created, changed, listed and deleted', async () => {
    const voice = client()
    const ConfigurationSetName = 'calls'
    await voice.createConfigurationSet({ ConfigurationSetName })
    const EventDestinationName = 'topic'
    const at = { ConfigurationSetName, EventDestinationName }
    await voice.createConfigurationSetEventDestination({ ...at, EventDestination: destination(['ANSWERED']) })
    await voice.updateConfigurationSetEventDestination({ ...at, EventDestination: destination(['BUSY', 'NO_ANSWER']) })
    expect(await voice.getConfigurationSetEventDestinations({ ConfigurationSetName })).toMatchObject({
      EventDestinations: [{ Name: 'topic', Enabled: true, MatchingEventTypes: ['BUSY', 'NO_ANSWER'] }],
    })
    await voice.deleteConfigurationSetEventDestination(at)
    expect((await voice.getConfigurationSetEventDestinations({ ConfigurationSetName })).EventDestinations).toEqual([])
    await voice.deleteConfigurationSet({ ConfigurationSetName })
  })

  test('configuration sets are listed a page at a time', async () => {
    const voice = client()
    const names = Array.from({ length: 5 }, (_, n) => `listed-${scheme}-${n}`)
    for (const ConfigurationSetName of names) await voice.createConfigurationSet({ ConfigurationSetName })
    const listedNames: string[] = []
    let page: sdk.ListConfigurationSetsResponse = {}
    do {
      page = await voice.listConfigurationSets({ PageSize: '2', ...(page.NextToken && { NextToken: page.NextToken }) })
      listedNames.push(...(page.ConfigurationSets ?? []))
    } while (page.NextToken !== undefined)
    expect(listedNames).toEqual(expect.arrayContaining(names))
  })

  test('a message is accepted as plain text, as SSML and as instructions', async () => {
    const voice = client()
    const contents = [
      hello.Content,
      {
        SSMLMessage: {
          LanguageCode: 'en-US',
          Text: '<speak>Hello <break time="1s"/> again</speak>',
          VoiceId: 'Joanna',
        },
      },
      { CallInstructionsMessage: { Text: 'Hello.' } },
    ]
    for (const Content of contents) {
      const { MessageId } = await voice.sendVoiceMessage({ ...hello, Content })
      expect(MessageId).toMatch(/^[\w-]{10,}$/)
    }
  })

  test('every modelled exception is an instance of its class', async () => {
    const voice = client()
    await voice.createConfigurationSet({ ConfigurationSetName: `twice-${scheme}` })
    const again = voice.createConfigurationSet({ ConfigurationSetName: `twice-${scheme}` })
    await expect(again).rejects.toBeInstanceOf(sdk.AlreadyExistsException)
    const nothing = voice.deleteConfigurationSet({ ConfigurationSetName: 'nothing' })
    await expect(nothing).rejects.toBeInstanceOf(sdk.NotFoundException)
    const local = voice.sendVoiceMessage({ ...hello, DestinationPhoneNumber: '555-0101' })
    await expect(local).rejects.toBeInstanceOf(sdk.BadRequestException)

    const make = async (n: number) => {
      const EventDestinationName = `destination-${n}`
      const EventDestination = destination(['ANSWERED'])
      const ConfigurationSetName = `twice-${scheme}`
      await voice.createConfigurationSetEventDestination({
        ConfigurationSetName,
        EventDestinationName,
        EventDestination,
      })
    }
    const many = (async () => {
      for (let n = 0; n < 100; n++) await make(n)
    })()
    await expect(many).rejects.toBeInstanceOf(sdk.LimitExceededException)
  })
})

test('throttling and internal errors are instances of their classes', async () => {
  const busy = await startSignedPlatform([voiceMessaging({ ...simulated, rate: { perSecond: 1, burst: 1 } })])
  await using _ = busy
  const calls = Array.from({ length: 30 }, () => new sdk.PinpointSMSVoice(busy.config).sendVoiceMessage(hello))
  const refused = (await Promise.allSettled(calls)).flatMap((call) => (call.status === 'rejected' ? [call.reason] : []))
  expect(refused.length).toBeGreaterThan(0)
  for (const reason of refused) expect(reason).toBeInstanceOf(sdk.TooManyRequestsException)

  const broken = await startSignedPlatform([voiceMessaging(simulated)])
  await using __ = broken
  await broken.app.platform.database.script('drop schema voice_messaging cascade')
  await expect(new sdk.PinpointSMSVoice(broken.config).listConfigurationSets({})).rejects.toBeInstanceOf(
    sdk.InternalServiceErrorException,
  )
})

test.each(schemes)('version 2 of the SDK runs every operation over %s, too', async (scheme) => {
  const voice = new AWS.PinpointSMSVoice({ ...platform.over(scheme), maxRetries: 0 })
  const ConfigurationSetName = 'of-v2'
  await voice.createConfigurationSet({ ConfigurationSetName }).promise()
  const at = { ConfigurationSetName, EventDestinationName: 'topic' }
  await voice.createConfigurationSetEventDestination({ ...at, EventDestination: destination(['ANSWERED']) }).promise()
  await voice.updateConfigurationSetEventDestination({ ...at, EventDestination: destination(['BUSY']) }).promise()
  const { EventDestinations } = await voice.getConfigurationSetEventDestinations({ ConfigurationSetName }).promise()
  expect(EventDestinations).toMatchObject([{ Name: 'topic', MatchingEventTypes: ['BUSY'] }])
  const listed = (await voice.listConfigurationSets({ PageSize: '1000' }).promise()).$response.data
  expect(listed).toMatchObject({ ConfigurationSets: expect.arrayContaining([ConfigurationSetName]) })
  expect((await voice.sendVoiceMessage({ ...hello, ConfigurationSetName }).promise()).MessageId).toBeTruthy()
  await voice.deleteConfigurationSetEventDestination(at).promise()
  await voice.deleteConfigurationSet({ ConfigurationSetName }).promise()
  const missing = voice.deleteConfigurationSet({ ConfigurationSetName }).promise()
  await expect(missing).rejects.toMatchObject({ code: 'NotFoundException' })
})
