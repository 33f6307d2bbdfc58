import { accountOf } from '@icosa/dialects/signed/arn'
import { sql } from '@icosa/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Calls, type EventApp, start } from '../testing/app.ts'
import { hotAlarm, readingInput, swing } from '../testing/models.ts'
import { refusal } from '../testing/refusal.ts'

let app: EventApp
let acme: Calls
let other: Calls

beforeAll(async () => {
  app = await start()
  acme = await app.caller('acme')
  other = await app.caller('other')
})
afterAll(() => app[Symbol.asyncDispose]())

test('an input is created, read, changed and deleted', async () => {
  const params = { inputName: 'Pressure' }
  const inputDefinition = { attributes: [{ jsonPath: 'motorid' }, { jsonPath: 'sensorData.pressure' }] }
  const response = await acme.CreateInput({ body: { ...params, inputDescription: 'of motors', inputDefinition } })
  expect(response).toMatchObject({
    status: 201,
    body: {
      inputConfiguration: {
        ...params,
        inputDescription: 'of motors',
        inputArn: `arn:aws:iotevents:us-east-1:${accountOf('acme')}:input/Pressure`,
        status: 'ACTIVE',
        creationTime: expect.any(Number),
      },
    },
  })
  expect(await refusal(acme.CreateInput({ body: { ...params, inputDefinition } }))).toEqual({
    status: 409,
    body: {
      __type: 'ResourceAlreadyExistsException',
      message: "The input 'Pressure' already exists: update it, or choose another name.",
      resourceId: 'Pressure',
      resourceArn: `arn:aws:iotevents:us-east-1:${accountOf('acme')}:input/Pressure`,
    },
  })

  const less = { attributes: [{ jsonPath: 'motorid' }] }
  await acme.UpdateInput({ params, body: { inputDefinition: less } })
  const { body } = await acme.DescribeInput({ params })
  expect(body.input.inputDefinition).toEqual(less)
  expect(body.input.inputConfiguration).not.toHaveProperty('inputDescription')

  expect(await acme.DeleteInput({ params })).toMatchObject({ status: 200, body: {} })
  expect(await refusal(acme.DescribeInput({ params }))).toMatchObject({
    status: 404,
    body: { __type: 'ResourceNotFoundException' },
  })
  expect(await app.platform.database.many(sql`select id from icosa.resources where name = 'Pressure'`)).toEqual([])
})

test('an input that a model reads cannot be deleted, and lists its readers', async () => {
  const params = { inputName: 'Reading' }
  await acme.CreateInput({ body: readingInput })
  await acme.CreateDetectorModel({ body: swing })
  await acme.CreateAlarmModel({ body: hotAlarm })
  expect(await refusal(acme.DeleteInput({ params }))).toMatchObject({
    status: 409,
    body: { __type: 'ResourceInUseException', message: expect.stringContaining('delete it first') },
  })
  const inputIdentifier = { iotEventsInputIdentifier: params }
  const first = await acme.ListInputRoutings({ body: { inputIdentifier, maxResults: 1 } })
  expect(first.body.routedResources).toEqual([
    { name: 'hot', arn: `arn:aws:iotevents:us-east-1:${accountOf('acme')}:alarmModel/hot` },
  ])
  const { nextToken = '' } = first.body
  const second = await acme.ListInputRoutings({ body: { inputIdentifier, maxResults: 1, nextToken } })
  expect(second.body).toEqual({
    routedResources: [{ name: 'swing', arn: `arn:aws:iotevents:us-east-1:${accountOf('acme')}:detectorModel/swing` }],
  })
})

test('inputs are listed with paging and isolated from other tenants', async () => {
  for (let number = 0; number < 5; number++)
    await other.CreateInput({ body: { ...readingInput, inputName: `Input${number}` } })
  const names: string[] = []
  let nextToken: string | undefined
  do {
    const { body } = await other.ListInputs({ query: { maxResults: 2, ...(nextToken && { nextToken }) } })
    names.push(...body.inputSummaries.map(({ inputName }) => inputName))
    nextToken = body.nextToken
  } while (nextToken)
  expect(names).toEqual(['Input0', 'Input1', 'Input2', 'Input3', 'Input4'])
  const params = { inputName: 'Input0' }
  const calls = [
    acme.DescribeInput({ params }),
    acme.DeleteInput({ params }),
    acme.UpdateInput({ params, body: { inputDefinition: readingInput.inputDefinition } }),
    acme.ListInputRoutings({ body: { inputIdentifier: { iotEventsInputIdentifier: params } } }),
  ]
  for (const refused of await Promise.all(calls.map(refusal))) expect(refused).toMatchObject({ status: 404 })
})

test('invalid inputs are refused', async () => {
  const duplicate = { attributes: [{ jsonPath: 'a' }, { jsonPath: 'a' }] }
  expect(await refusal(acme.CreateInput({ body: { inputName: 'Twice', inputDefinition: duplicate } }))).toMatchObject({
    status: 400,
    body: { __type: 'InvalidRequestException', message: expect.stringContaining('duplicate') },
  })
  const nul = { ...readingInput, inputName: 'Nul', inputDescription: 'a\0b' }
  expect(await refusal(acme.CreateInput({ body: nul }))).toMatchObject({ status: 400 })
  expect(await refusal(acme.DescribeInput({ params: { inputName: 'a\0b' } }))).toMatchObject({ status: 404 })
})

test('tags are stored with the resource and in the registry', async () => {
  const tags = [
    { key: 'site', value: 'north' },
    { key: 'team', value: 'blue' },
  ]
  const { body } = await acme.CreateInput({ body: { ...readingInput, inputName: 'Tagged', tags } })
  const query = { resourceArn: body.inputConfiguration.inputArn }
  expect((await acme.ListTagsForResource({ query })).body.tags).toEqual(tags)
  await acme.TagResource({ query, body: { tags: [{ key: 'team', value: 'red' }] } })
  await acme.UntagResource({ query: { ...query, tagKeys: ['site', 'unknown'] } })
  expect((await acme.ListTagsForResource({ query })).body.tags).toEqual([{ key: 'team', value: 'red' }])
  const rows = await app.platform.database.many(
    sql`select type, name, tags from icosa.resources where id = ${query.resourceArn}`,
  )
  expect(rows).toEqual([{ type: 'AWS::IoTEvents::Input', name: 'Tagged', tags: { team: 'red' } }])
  for (const resourceArn of [query.resourceArn, 'arn:aws:iotevents:us-east-1:other:input/None', 'nonsense'])
    expect(await refusal(other.ListTagsForResource({ query: { resourceArn } }))).toMatchObject({ status: 404 })
})
