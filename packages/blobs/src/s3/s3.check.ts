import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { S3 } from '@aws-sdk/client-s3'
import { describe, expect, test } from 'vitest'
import { contentOf, fresh, mebibyte } from '../testing/conformance/subject.ts'
import { describeBlobs } from '../testing/conformance.ts'
import { s3Blobs } from './s3.ts'

function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: run this by 'npm run test:s3', or see scripts/radosgw.`)
  return value
}

const bucket = setting('S3_BUCKET')
const connection = {
  endpoint: setting('S3_ENDPOINT'),
  region: setting('S3_REGION'),
  credentials: { accessKeyId: setting('S3_ACCESS_KEY'), secretAccessKey: setting('S3_SECRET_KEY') },
  forcePathStyle: true,
}
const prefix = 'one installation/'

describeBlobs('blobs in S3', async () => ({
  blobs: await s3Blobs({ ...connection, bucket, prefix }),
  pass: (seconds) => setTimeout(seconds * 1000),
  close: async () => {},
}))

describe('a bucket', () => {
  const s3 = new S3({ ...connection, requestChecksumCalculation: 'WHEN_REQUIRED' })

  test('keeps no parts of an upload whose stream broke', async () => {
    const blobs = await s3Blobs({ ...connection, bucket, prefix })
    const key = fresh()
    let uploadsMidway = 0
    const broken = async function* () {
      for (let count = 0; count < 18; count++) yield randomBytes(mebibyte)
      uploadsMidway = (await s3.listMultipartUploads({ Bucket: bucket })).Uploads?.length ?? 0
      throw new Error('the source broke')
    }
    await expect(blobs.put(key, Readable.from(broken()))).rejects.toThrow('the source broke')
    expect(uploadsMidway).toBe(1)
    expect((await s3.listMultipartUploads({ Bucket: bucket })).Uploads ?? []).toEqual([])
  })

  test('can be shared: each installation sees only keys under its own prefix', async () => {
    const mine = await s3Blobs({ ...connection, bucket, prefix })
    const other = await s3Blobs({ ...connection, bucket, prefix: fresh('') })
    const key = fresh()
    await mine.put(key, Buffer.from('mine'))
    expect(await other.head(key)).toBeUndefined()
    await other.put(key, Buffer.from('theirs'))
    expect(await contentOf(mine, key)).toBe('mine')
    const page = await other.list('', { limit: 1000 })
    expect(page.items.map((item) => item.key)).toEqual([key])
  })

  test('may hold foreign objects, which a listing skips', async () => {
    const blobs = await s3Blobs({ ...connection, bucket, prefix })
    const folder = fresh('')
    for (const name of ['', 'a//b', 'c']) await s3.putObject({ Bucket: bucket, Key: prefix + folder + name, Body: 'x' })
    const first = await blobs.list(folder, { limit: 2 })
    expect(first).toEqual({ items: [], next: `${folder}a//b` })
    const { items } = await blobs.list(folder, { limit: 2, after: first.next ?? '' })
    expect(items).toMatchObject([{ key: `${folder}c` }])
  })

  test('that is missing or does not respond is unavailable', async () => {
    const unavailable = { name: 'Failure', kind: 'unavailable' }
    const noBucket = await s3Blobs({ ...connection, bucket: 'no-such-bucket' })
    await expect(noBucket.put('a', Buffer.from('x'))).rejects.toMatchObject(unavailable)
    await expect(noBucket.get('a')).rejects.toMatchObject(unavailable)
    await expect(noBucket.list('', { limit: 1 })).rejects.toMatchObject(unavailable)
    const noServer = await s3Blobs({ ...connection, bucket, endpoint: 'http://127.0.0.1:9' })
    await expect(noServer.head('a')).rejects.toMatchObject(unavailable)
    const credentials = { accessKeyId: 'icosa', secretAccessKey: 'wrong' }
    const denied = await s3Blobs({ ...connection, bucket, credentials })
    await expect(denied.get('a')).rejects.toMatchObject(unavailable)
  })
})
