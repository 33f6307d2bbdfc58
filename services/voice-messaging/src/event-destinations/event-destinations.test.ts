import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, log, refusal, startVoice, stream, topic, type World } from '../testing/app.ts'
import { eventTypes } from './contract.ts'

let world: World
let acme: Caller
beforeAll(async () => {
  world = await startVoice({
    streams: { collected: 'https://collector.example/', 'acme/own': 'https://acme.example/' },
  })
  acme = await world.caller()
  for (const caller of [acme, await world.caller('other')])
    await caller.CreateConfigurationSet({ body: { ConfigurationSetName: 'calls' } })
})
afterAll(() => world[Symbol.asyncDispose]())

const calls = { ConfigurationSetName: 'calls' }
const at = (name: string, set = 'calls') => ({ ConfigurationSetName: set, EventDestinationName: name })
const create = (name: string, EventDestination: object, caller = acme) =>
  caller.CreateConfigurationSetEventDestination({
    params: calls,
    body: { EventDestinationName: name, EventDestination },
  })
const update = (name: string, EventDestination: object, caller = acme) =>
  caller.UpdateConfigurationSetEventDestination({ params: at(name), body: { EventDestination } })
const remove = (name: string, caller = acme) => caller.DeleteConfigurationSetEventDestination({ params: at(name) })
const list = async (caller = acme) =>
  (await caller.GetConfigurationSetEventDestinations({ params: calls })).body.EventDestinations

test('destinations of all kinds are created, read, changed and deleted', async () => {
  const IamRoleArn = 'arn:aws:iam::acme:role/writer'
  const target = { ...log('/voice/calls:*').CloudWatchLogsDestination, IamRoleArn }
  expect(await create('log', { CloudWatchLogsDestination: target })).toMatchObject({ status: 200, body: {} })
  await create('stream', { ...stream('collected'), Enabled: false, MatchingEventTypes: ['FAILED', 'BUSY', 'FAILED'] })
  await create('topic', topic('calls'))
  await create('own', stream('own'))
  await create('address', stream('https://example.com/events?key=1'))
  expect(await list()).toEqual([
    {
      Name: 'address',
      Enabled: true,
      MatchingEventTypes: [...eventTypes],
      ...stream('https://example.com/events?key=1'),
    },
    { Name: 'log', Enabled: true, MatchingEventTypes: [...eventTypes], CloudWatchLogsDestination: target },
    { Name: 'own', Enabled: true, MatchingEventTypes: [...eventTypes], ...stream('own') },
    { Name: 'stream', Enabled: false, MatchingEventTypes: ['BUSY', 'FAILED'], ...stream('collected') },
    { Name: 'topic', Enabled: true, MatchingEventTypes: [...eventTypes], ...topic('calls') },
  ])
  expect(await update('log', { ...topic('elsewhere'), MatchingEventTypes: ['ANSWERED'] })).toMatchObject({ body: {} })
  expect((await list())[1]).toEqual({
    Name: 'log',
    Enabled: true,
    MatchingEventTypes: ['ANSWERED'],
    ...topic('elsewhere'),
  })
  for (const name of ['log', 'stream', 'topic', 'own', 'address'])
    expect(await remove(name)).toMatchObject({ body: {} })
  expect(await list()).toEqual([])
})

test.each([
  [undefined, /EventDestination is required/],
  [{}, /exactly one of/],
  [{ ...topic('a'), ...log('b') }, /exactly one of/],
  [{ SnsDestination: {} }, /SnsDestination\/TopicArn is required/],
  [{ CloudWatchLogsDestination: {} }, /LogGroupArn is required/],
  [{ ...topic('a'), MatchingEventTypes: [] }, /MatchingEventTypes is empty/],
  [{ ...topic('a'), MatchingEventTypes: ['HUNG_UP'] }, /must be one of INITIATED_CALL/],
  [{ ...topic('a'), Enabled: 'yes' }, /Enabled/],
  [{ SnsDestination: { TopicArn: 'calls' } }, /TopicArn/],
  [{ SnsDestination: { TopicArn: 'arn:aws:logs:us-east-1:acme:log-group:x' } }, /must look like arn:aws:sns/],
  [topic('a.>'), /must look like arn:aws:sns/],
  [log('..\\x'), /must look like arn:aws:logs/],
  [log('/'.repeat(100)), /too long/],
  [stream('unknown'), /has no address: ask the operator to set one/],
  [stream('constructor'), /has no address/],
  [stream('file:///etc/passwd'), /must look like/],
  [stream('https://'), /must look like|has no address/],
])('%j is not a valid destination', async (definition, message) => {
  const expected = refusal(400, 'BadRequestException', message)
  await expect(create('wrong', definition as object)).rejects.toMatchObject(expected)
  expect(await list()).toEqual([])
})

test('a name is required and unique', async () => {
  const nameless = acme.CreateConfigurationSetEventDestination({
    params: calls,
    body: { EventDestination: topic('a') },
  })
  await expect(nameless).rejects.toMatchObject(refusal(400, 'BadRequestException', /EventDestinationName is required/))
  await create('once', topic('a'))
  await expect(create('once', topic('b'))).rejects.toMatchObject(
    refusal(409, 'AlreadyExistsException', /'once' already/),
  )
  expect(await list()).toMatchObject([topic('a')])
  await remove('once')
})

test('unknown destinations and those of other tenants are not found', async () => {
  const other = await world.caller('other')
  await create('mine', topic('a'))
  const notFound = refusal(404, 'NotFoundException', /event destination/)
  await expect(update('none', topic('a'))).rejects.toMatchObject(notFound)
  await expect(remove('none')).rejects.toMatchObject(notFound)
  await expect(remove('no\u0000ne')).rejects.toMatchObject(notFound)
  await expect(update('no\u0000ne', topic('a'))).rejects.toMatchObject(notFound)
  await expect(update('mine', topic('b'), other)).rejects.toMatchObject(notFound)
  await expect(remove('mine', other)).rejects.toMatchObject(notFound)
  expect(await list(other)).toEqual([])
  const nowhere = { params: { ConfigurationSetName: 'none' } }
  const noSet = refusal(404, 'NotFoundException', /configuration set 'none'/)
  await expect(acme.GetConfigurationSetEventDestinations(nowhere)).rejects.toMatchObject(noSet)
  const body = { EventDestinationName: 'a', EventDestination: topic('a') }
  await expect(acme.CreateConfigurationSetEventDestination({ ...nowhere, body })).rejects.toMatchObject(noSet)
  expect(await list()).toMatchObject([{ Name: 'mine' }])
  await remove('mine')
})

test('concurrent requests cannot exceed ten destinations of a set, which are deleted with it', async () => {
  const results = await Promise.allSettled(Array.from({ length: 14 }, (_, index) => create(`d-${index}`, topic('a'))))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused).toHaveLength(4)
  for (const reason of refused)
    expect(reason).toMatchObject(refusal(412, 'LimitExceededException', /10 event destinations/))
  expect(await list()).toHaveLength(10)
  await acme.DeleteConfigurationSet({ params: calls })
  await acme.CreateConfigurationSet({ body: calls })
  expect(await list()).toEqual([])
})
