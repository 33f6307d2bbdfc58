import { Failure, implement, media, noContent, ok } from '@icosa/kernel'
import type { Held } from '../held.ts'
import { page } from '../page/page.ts'
import { analysisOf } from './analyses.ts'
import { samples as contract } from './contract.ts'
import { shelfOf } from './shelf.ts'
import { deleteAll, receive } from './uploads.ts'
import { outputOf, unpackedHeaders } from './view.ts'

export const samples = implement<typeof contract, Held>(contract, {
  async unpack({ body: { file } }, { blobs, held: { engine }, caller, signal }) {
    const shelf = shelfOf(blobs, caller.tenant)
    const sample = await receive(shelf, file)
    const { report, unpacked } = await analysisOf(sample, { shelf, engine, party: caller.tenant, signal })
    if (!unpacked) throw new Failure('invalid', report.why ?? 'Nothing was unpacked.')
    return media('application/octet-stream', unpacked, unpackedHeaders(report))
  },

  async emulationOutput({ body: { file }, headers }, { blobs, held: { engine }, caller, signal }) {
    const shelf = shelfOf(blobs, caller.tenant)
    const sample = await receive(shelf, file)
    const { report } = await analysisOf(sample, { shelf, engine, party: caller.tenant, signal })
    if (headers.accept?.startsWith('text/html')) {
      const { mediaType, body, headers: more } = page(report)
      return media(mediaType, body, more)
    }
    return ok({ output: outputOf(report) })
  },

  async clean(_, { blobs, caller }) {
    await deleteAll(shelfOf(blobs, caller.tenant))
    return noContent()
  },
})
