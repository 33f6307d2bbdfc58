import { client } from '@icosa/client'
import * as contracts from '@icosa/contribution-collection/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Everything, IamRoleArn, startEverything } from './support.ts'

let world: Everything
beforeAll(async () => {
  world = await startEverything(['contribution-collection'])
}, 120_000)
afterAll(() => world[Symbol.asyncDispose]())

const pixel = (colour: string) =>
  ({
    mediaType: 'image/png',
    content: Buffer.concat([
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
      Buffer.from(colour),
    ]),
  }) as never

async function settle() {
  for (let turn = 0; turn < 4; turn++) {
    await world.app.jobs.drain()
    await world.app.clock.advance(60_000)
  }
  await world.app.jobs.drain()
}

test('a backup of an assignment under writes restores a consistent snapshot with its files', {
  timeout: 300_000,
}, async () => {
  const { app, calls, ownerOf, hashOf } = world
  const owner = await ownerOf('contribution-collection')
  const { assignments, contributions, forms, media, search } = contracts
  const desk = client({ ...assignments, ...contributions, ...forms, ...media, ...search }, owner)
  const files = [await desk.createMedia({ body: pixel('a') }), await desk.createMedia({ body: pixel('b') })]
  const [cover, inside] = files.map(({ body }) => ({ media: { id: body.id } }))
  const { body: assignment } = await desk.createAssignment({
    body: { name: 'Snow', ...(cover && { cover }), allowsAnonymousContributions: true },
  })
  const send = (headline: string, mediaUsages = inside ? [inside] : []) =>
    desk.createContribution({ body: { assignment: { id: assignment.id }, headline, mediaUsages } })
  const { body: first } = await send('The first')
  const params = { id: first.id }
  await desk.moderateContribution({ params, body: { action: { id: 'approve' }, notes: 'Lovely.' } })
  await desk.likeContribution({ params })
  await desk.flagContribution({ params, body: { type: 'spam', notes: 'Is it?' } })
  await app.jobs.drain()

  const backUp = async (ResourceArn: string) => {
    const { body } = await calls.StartBackupJob({ body: { BackupVaultName: 'news', ResourceArn, IamRoleArn } })
    await app.jobs.drain()
    const job = (await calls.DescribeBackupJob({ params: { backupJobId: body.BackupJobId } })).body
    expect(job).toMatchObject({ State: 'COMPLETED' })
    return body.RecoveryPointArn
  }
  const restore = async (RecoveryPointArn: string, Metadata = {}) => {
    const { RestoreJobId } = (await calls.StartRestoreJob({ body: { RecoveryPointArn, Metadata } })).body
    await app.jobs.drain()
    return (await calls.DescribeRestoreJob({ params: { restoreJobId: RestoreJobId } })).body
  }
  await calls.CreateBackupVault({ params: { backupVaultName: 'news' }, body: {} })
  const id = `/contribution-collection/assignments/${assignment.id}`
  let isWriting = true
  let written = 0
  const writing = (async () => {
    while (isWriting) await send(`n${written++}`, [])
  })()
  const point = await backUp(id)
  isWriting = false
  await writing

  const headlines = async (of: string) => {
    const { body } = await desk.listContributions({ query: { assignment: of, pageSize: 100 } })
    return body.map(({ headline }) => headline)
  }
  expect(await restore(point)).toMatchObject({ Status: 'FAILED', StatusMessage: expect.stringMatching(/already/) })
  const copy = await restore(point, { urlWords: 'copy' })
  expect(copy).toMatchObject({ Status: 'COMPLETED' })
  const copied = copy.CreatedResourceArn?.split('/').at(-1) ?? ''
  expect(copied).not.toBe(assignment.id)
  const titles = await headlines(copied)
  // They were written one after the other: a consistent snapshot has no gap.
  expect(titles.toSorted()).toEqual(['The first', ...titles.slice(1).map((_, n) => `n${n}`)].toSorted())

  const before = (await desk.getContribution({ params })).body
  for (const one of [assignment.id, copied]) await desk.deleteAssignment({ params: { id: one } })
  await settle()
  await expect(desk.getContribution({ params })).rejects.toMatchObject({ status: 404 })
  // The cover is kept for a week, since it may be reused; the other file is deleted, and then restored.
  await expect(desk.getMedia({ params: { id: files[1]?.body.id ?? '' } })).rejects.toMatchObject({ status: 404 })

  const restored = await restore(point)
  expect(restored).toMatchObject({
    Status: 'COMPLETED',
    CreatedResourceArn: expect.stringMatching(`/${assignment.id}$`),
  })
  const again = await backUp(id)
  const idOf = (arn: string) => arn.split(':').at(-1) ?? ''
  expect(await hashOf(idOf(again))).toBe(await hashOf(idOf(point)))
  const after = (await desk.getContribution({ params })).body
  const unlinked = (value: unknown) => JSON.parse(JSON.stringify(value).replace(/"(url|href|src)":"[^"]*"/g, '"at":""'))
  expect(unlinked(after)).toEqual(unlinked(before))
  expect((await headlines(assignment.id)).toSorted()).toEqual(titles.toSorted())
})
