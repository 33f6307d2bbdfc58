import { testLarge } from './large.ts'

/** Run by `npm run test:s3`, which starts a server and sets its address. */
testLarge('S3', () => ({
  s3: {
    endpoint: process.env.S3_ENDPOINT ?? '',
    region: process.env.S3_REGION ?? '',
    bucket: process.env.S3_BUCKET ?? '',
    credentials: { accessKeyId: process.env.S3_ACCESS_KEY ?? '', secretAccessKey: process.env.S3_SECRET_KEY ?? '' },
    forcePathStyle: true,
  },
}))
