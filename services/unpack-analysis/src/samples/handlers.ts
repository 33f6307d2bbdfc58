import { Failure, implement, media, noContent, ok } from '@icosa/kernel'
import type { Held } from '../held.ts'
import { analysisOf } from './analyses.ts'
import { samples as contract } from './contract.ts'
import { deleteAll, receive } from './uploads.ts'
import { outputOf, unpackedHeaders } from './view.ts'

export const samples = implement<typeof contract, Held>(contract, {
  async unpack({ body: { file } }, { blobs, held: { engine }, caller, signal }) {
    const sample = await receive(blobs, file)
    const { report, unpacked } = await analysisOf(sample, { blobs, engine, party: caller.tenant, signal })
    if (!unpacked) throw new Failure('invalid', report.why ?? 'Nothing was unpacked.')
    return media('application/octet-stream', unpacked, unpackedHeaders(report))
  },

  async emulationOutput({ body: { file } }, { blobs, held: { engine }, caller, signal }) {
    const sample = await receive(blobs, file)
    const { report } = await analysisOf(sample, { blobs, engine, party: caller.tenant, signal })
    return ok({ output: outputOf(report) })
  },

  async clean(_, { blobs }) {
    await deleteAll(blobs)
    return noContent()
  },
})
