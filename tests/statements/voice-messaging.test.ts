import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual as isEqual } from 'node:util'
import { type Answer, statementsOf, until } from './statements.ts'

const root = '/v1/sms-voice'
const sets = `${root}/configuration-sets`
const destinations = `${sets}/calls/event-destinations`
const arn = (kind: string, name: string) => `arn:aws:${kind}:us-east-1:123456789012:${name}`
const IamRoleArn = 'arn:aws:iam::123456789012:role/any'
const CloudWatchLogsDestination = { IamRoleArn, LogGroupArn: arn('logs', 'log-group:/voice/calls') }
const eventTypes = ['INITIATED_CALL', 'RINGING', 'ANSWERED', 'COMPLETED_CALL', 'BUSY', 'FAILED', 'NO_ANSWER']
const DestinationPhoneNumber = '+12065550101'
const speaking = (text: string) => ({ SSMLMessage: { Text: `<speak>${text}</speak>`, LanguageCode: 'en-US' } })

/** Invalid messages, by the name in their refusal. */
const refused = {
  DestinationPhoneNumber: { DestinationPhoneNumber: '555-0101' },
  OriginationPhoneNumber: { OriginationPhoneNumber: '12065550100' },
  CallerId: { CallerId: 'Icosa' },
  Content: { Content: {} },
  Text: { Content: { PlainTextMessage: { Text: 'a'.repeat(6_001) } } },
  'xx-XX': { Content: { PlainTextMessage: { Text: 'a', LanguageCode: 'xx-XX' } } },
  Nobody: { Content: { PlainTextMessage: { Text: 'a', VoiceId: 'Nobody' } } },
  audio: { Content: speaking('<audio src="x"/>') },
}

interface Event {
  readonly eventType: string
  readonly messageId: string
  readonly [member: string]: unknown
}

const isRefused = ({ status, headers, json }: Answer, code: number, name: string) =>
  status === code && headers.get('x-amzn-errortype') === name && json?.__type === name && json.Message !== ''

statementsOf('M', ['voice-messaging'], async ({ call: plainly, caller, holds, instance }) => {
  const call = caller('voice-messaging')
  const create = (ConfigurationSetName?: string) => call('POST', sets, { ConfigurationSetName })
  const unsigned = await plainly(`/voice-messaging${sets}`)
  holds('a request without a signature is refused', isRefused(unsigned, 403, 'MissingAuthenticationTokenException'))
  const { url } = instance.app.service('voice-messaging')
  const forged = await plainly(url + sets, {
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=AKIDEVELOPMENTMODE00/20260101/us-east-1/sms-voice/aws4_request, SignedHeaders=host;x-amz-date, Signature=${'f'.repeat(64)}`,
      'x-amz-date': new Date().toISOString().replace(/[-:]|\.\d+/g, ''),
    },
  })
  holds('a forged signature is refused', forged.status === 403 && /Signature|Credential/.test(forged.text), forged.text)

  const created = await create('calls')
  holds('a configuration set is created: 200', created.status === 200 && isEqual(created.json, {}), created.text)
  const twice = await create('calls')
  holds('a set that exists is AlreadyExistsException', isRefused(twice, 409, 'AlreadyExistsException'), twice.text)
  holds('a name is required', isRefused(await create(), 400, 'BadRequestException'))
  for (const name of ['a b', 'x'.repeat(65)])
    holds(
      `${name.length} characters such as these are no name`,
      isRefused(await create(name), 400, 'BadRequestException'),
    )
  holds('a name may have 64 characters', (await create('x'.repeat(64))).status === 200)
  await create('other')

  const listed = (await call('GET', sets)).json
  holds(
    'the sets are listed by name',
    isEqual(listed, { ConfigurationSets: ['calls', 'other', 'x'.repeat(64)] }),
    listed,
  )
  const first = (await call('GET', `${sets}?PageSize=2`)).json
  holds('PageSize is how many', isEqual(first.ConfigurationSets, ['calls', 'other']) && first.NextToken, first)
  const second = (await call('GET', `${sets}?PageSize=2&NextToken=${encodeURIComponent(first.NextToken)}`)).json
  holds('NextToken is where the next page starts', isEqual(second, { ConfigurationSets: ['x'.repeat(64)] }), second)
  for (const query of ['PageSize=0', 'PageSize=1001', 'PageSize=ten', 'NextToken=invented'])
    holds(`${query} is refused`, isRefused(await call('GET', `${sets}?${query}`), 400, 'BadRequestException'))
  const otherTenantsList = await (await instance.app.tenant('rival')).fetch('voice-messaging', sets)
  holds('another account has sets of its own', isEqual(await otherTenantsList.json(), { ConfigurationSets: [] }))

  const add = (EventDestinationName: string, EventDestination: object, set = 'calls') =>
    call('POST', `${sets}/${set}/event-destinations`, { EventDestinationName, EventDestination })
  const added = await add('log', { CloudWatchLogsDestination })
  holds('an event destination is added: 200', added.status === 200 && isEqual(added.json, {}), added.text)
  const again = await add('log', { CloudWatchLogsDestination })
  holds('one that exists is AlreadyExistsException', isRefused(again, 409, 'AlreadyExistsException'), again.text)
  const nowhere = await add('log', { CloudWatchLogsDestination }, 'none')
  holds('one of no set is NotFoundException', isRefused(nowhere, 404, 'NotFoundException'), nowhere.text)
  const SnsDestination = { TopicArn: arn('sns', 'calls') }
  holds('a topic is a destination', (await add('topic', { SnsDestination, Enabled: false })).status === 200)
  const both = await add('both', { SnsDestination, CloudWatchLogsDestination })
  holds('a destination is one thing', isRefused(both, 400, 'BadRequestException'), both.text)
  const KinesisFirehoseDestination = { IamRoleArn, DeliveryStreamArn: arn('firehose', 'deliverystream/nowhere') }
  const stream = await add('stream', { KinesisFirehoseDestination })
  holds('a stream that leads nowhere is refused', isRefused(stream, 400, 'BadRequestException'), stream.text)
  const unknown = await add('unknown', { CloudWatchLogsDestination, MatchingEventTypes: ['SNEEZED'] })
  holds('an unknown event type is refused', isRefused(unknown, 400, 'BadRequestException'), unknown.text)
  const read = async () => (await call('GET', destinations)).json?.EventDestinations
  const [log, topic] = await read()
  holds('the destinations of a set are read', log?.Name === 'log' && topic?.Name === 'topic', [log, topic])
  holds('a destination is enabled by default', log?.Enabled === true && topic?.Enabled === false, [log, topic])
  holds('a destination takes all event types by default', isEqual(log?.MatchingEventTypes, eventTypes), log)
  const { LogGroupArn } = CloudWatchLogsDestination
  holds('its target is kept', log?.CloudWatchLogsDestination.LogGroupArn === LogGroupArn, log)
  const update = (name: string, EventDestination: object) =>
    call('PUT', `${destinations}/${name}`, { EventDestination })
  const changed = await update('topic', { SnsDestination, Enabled: false, MatchingEventTypes: ['BUSY'] })
  const [, busy] = await read()
  holds('PUT replaces a destination: 200', changed.status === 200 && isEqual(busy?.MatchingEventTypes, ['BUSY']), busy)
  const unchanged = await update('none', { SnsDestination })
  holds(
    'PUT of what does not exist is NotFoundException',
    isRefused(unchanged, 404, 'NotFoundException'),
    unchanged.text,
  )

  const send = (body: object = {}) =>
    call('POST', `${root}/voice/message`, {
      ...{ DestinationPhoneNumber, ConfigurationSetName: 'calls', Content: speaking('Hello') },
      ...body,
    })
  for (const [name, body] of Object.entries(refused)) {
    const answer = await send(body)
    holds(`${name} is refused by name`, isRefused(answer, 400, 'BadRequestException') && answer.text.includes(name))
  }
  const unset = await send({ ConfigurationSetName: 'none' })
  holds('an unknown set is refused by name', unset.status === 400 && unset.text.includes("'none'"), unset.text)

  const file = join(instance.config.dataDirectory, 'voice-logs', 'dev', `${encodeURIComponent('/voice/calls')}.log`)
  const eventsOf = async (id: string): Promise<Event[]> => {
    const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line.endsWith('}'))
    return lines.map((line) => JSON.parse(line)).filter(({ messageId }) => messageId === id)
  }
  const completed = (id: string) =>
    until(async () => (await eventsOf(id)).find(({ eventType }) => eventType === 'COMPLETED_CALL'))
  const sent = await send({ CallerId: '+12065550199', OriginationPhoneNumber: '+12065550100' })
  const { MessageId } = sent.json ?? {}
  holds('a voice message has a MessageId: 200', sent.status === 200 && MessageId, sent.text)
  const last = await completed(MessageId)
  const events = await eventsOf(MessageId)
  const types = events.map(({ eventType }) => eventType)
  holds('what happens in a call is published, in order', isEqual(types, eventTypes.slice(0, 4)), types)
  holds('an event names the set', last?.configurationSetName === 'calls', last)
  holds('an event names the number that is called', last?.destinationPhoneNumber === DestinationPhoneNumber, last)
  holds(
    'an event names the numbers that call',
    last?.callerId === '+12065550199' && last.originationPhoneNumber === '+12065550100',
    last,
  )
  holds(
    'the last event is the final one',
    last?.isFinal === true && events.filter(({ isFinal }) => isFinal).length === 1,
  )
  holds('each event has an id of its own', new Set(events.map(({ eventId }) => eventId)).size === events.length)

  const secondsOf = async (Content: object) => {
    const { json, text } = await send({ Content })
    holds(`it is spoken: ${JSON.stringify(Content)}`, json?.MessageId, text)
    return Number((await completed(json?.MessageId))?.durationInSeconds)
  }
  const plain = await secondsOf({ PlainTextMessage: { Text: 'telephone', LanguageCode: 'en-US' } })
  holds('a plain text takes its time', plain > 0.6, plain)
  const spelled = await secondsOf(speaking('<say-as interpret-as="characters">telephone</say-as>'))
  holds('characters are spelled', spelled > plain * 1.3, [plain, spelled])
  const year = await secondsOf(speaking('1492'))
  const digits = await secondsOf(speaking('<say-as interpret-as="digits">1492</say-as>'))
  holds('digits are spoken one by one', digits !== year, [year, digits])
  const date = await secondsOf(speaking('<say-as interpret-as="date" format="mdy">11/17/2026</say-as>'))
  holds('a date is spoken', date > year, [year, date])
  const pause = await secondsOf({ CallInstructionsMessage: { Text: 'telephone <break time="3s"/>' } })
  holds('a break is a pause', pause - plain > 2, [plain, pause])

  await update('log', { CloudWatchLogsDestination, MatchingEventTypes: ['COMPLETED_CALL'] })
  const { MessageId: matched } = (await send()).json
  await completed(matched)
  holds('a destination gets the types that it matches', (await eventsOf(matched)).length === 1)
  const removed = await call('DELETE', `${destinations}/topic`)
  const left = (await read()).map(({ Name }: { Name: string }) => Name)
  holds('a destination is deleted: 200', removed.status === 200 && isEqual(left, ['log']), left)
  const missing = await call('DELETE', `${destinations}/topic`)
  holds('one that was deleted is NotFoundException', isRefused(missing, 404, 'NotFoundException'), missing.text)
  const deleted = await call('DELETE', `${sets}/calls`)
  const { ConfigurationSets } = (await call('GET', sets)).json
  holds('a set is deleted: 200', deleted.status === 200 && !ConfigurationSets.includes('calls'), ConfigurationSets)
  const deletion = await call('DELETE', `${sets}/calls`)
  holds('a set that was deleted is NotFoundException', isRefused(deletion, 404, 'NotFoundException'), deletion.text)
  const unread = await call('GET', destinations)
  holds('its destinations are gone, too', isRefused(unread, 404, 'NotFoundException'), unread.text)
})
