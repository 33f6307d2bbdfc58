import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { IamRoleArn, startBackup, thingArn } from '../testing/app.ts'

test('the topic of a vault only receives the events that it subscribes to', async () => {
  const received: unknown[] = []
  const server = createServer(async (request, response) => {
    received.push(JSON.parse(Buffer.concat(await request.toArray()).toString()))
    response.writeHead(200).end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const eventsUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await using world = await startBackup({}, { eventsUrl })
  const { calls, app } = world
  const params = { backupVaultName: 'watched' }
  await calls.CreateBackupVault({ params, body: {} })
  const SNSTopicArn = 'arn:aws:sns:us-east-1:123456789012:told'
  await calls.PutBackupVaultNotifications({ params, body: { SNSTopicArn, BackupVaultEvents: ['BACKUP_JOB_FAILED'] } })
  await world.thing('gone', 'x')
  await rm(`${world.folder}/things/gone`)
  const body = { BackupVaultName: 'watched', ResourceArn: thingArn('gone'), IamRoleArn }
  const { BackupJobId } = (await calls.StartBackupJob({ body })).body
  await app.jobs.drain()
  expect((await calls.DescribeBackupJob({ params: { backupJobId: BackupJobId } })).body).toMatchObject({
    State: 'FAILED',
    StatusMessage: expect.stringMatching(/not found/),
  })
  expect(received).toMatchObject([
    {
      TopicArn: SNSTopicArn,
      MessageAttributes: { EventType: { Value: 'BACKUP_JOB_FAILED' }, Id: { Value: BackupJobId } },
    },
  ])
  server.close()
})
