import { afterAll, beforeAll, describe } from 'vitest'
import { describeConcurrency } from './conformance/concurrency.ts'
import { describeLargeObjects } from './conformance/large.ts'
import { describeListing } from './conformance/listing.ts'
import { describeRefusals } from './conformance/refusals.ts'
import { describeSignedUrls } from './conformance/signed-urls.ts'
import { describeStoring } from './conformance/storing.ts'
import type { Subject } from './conformance/subject.ts'

/** Conformance tests of all adapters. Each uses its own keys, so that they share one store. */
export function describeBlobs(name: string, create: () => Promise<Subject>): void {
  describe(name, () => {
    let subject: Subject | undefined
    const current = () => {
      if (!subject) throw new Error('The store was not created.')
      return subject
    }
    beforeAll(async () => {
      subject = await create()
    })
    afterAll(() => subject?.close())
    describeStoring(current)
    describeLargeObjects(current)
    describeConcurrency(current)
    describeListing(current)
    describeRefusals(current)
    describeSignedUrls(current)
  })
}
