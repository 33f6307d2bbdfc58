import { Failure, implement, media, noContent, ok } from '@icosa/kernel'
import { page } from '../page/page.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { analysisOf } from './analyses.ts'
import { samples as contract } from './contract.ts'
import { senderOf } from './sender.ts'
import { storageOf } from './storage.ts'
import { deleteAll, receive } from './uploads.ts'
import { outputOf, unpackedHeaders } from './view.ts'

export const samples = implement<typeof contract, ServiceRuntime>(contract, {
  async unpack({ body: { file } }, context) {
    const sender = senderOf(context)
    const { report, unpacked } = await analysisOf(await receive(sender, file), sender)
    if (!unpacked) throw new Failure('invalid', report.why ?? 'Nothing was unpacked.')
    return media('application/octet-stream', unpacked, unpackedHeaders(report))
  },

  async emulationOutput({ body: { file }, headers }, context) {
    const sender = senderOf(context)
    const { report } = await analysisOf(await receive(sender, file), sender)
    if (headers.accept?.startsWith('text/html')) {
      const { mediaType, body, headers: pageHeaders } = page(report)
      return media(mediaType, body, pageHeaders)
    }
    return ok({ output: outputOf(report) })
  },

  async clean(_, { blobs, caller }) {
    await deleteAll(storageOf(blobs, caller.tenant))
    return noContent()
  },
})
