import { latencyIn, type Neighbours } from '@icosa/testing'
import { startUnpack } from './app.ts'
import { Workshop } from './build.ts'
import { greedy } from './hostile-programs.ts'

const hostileAddress = '127.0.0.2'
const rule = 'rule text { strings: $a = "program" condition: $a }'

/**
 * Measures the latency of applying rules to small files, alone and while another sender floods with endless programs. Rounds
 * alternate, so that other load slows both alike. `overtaken` is the share of requests during which a hostile sample ended.
 */
export async function unpackNeighbours(
  probes: number,
  rounds = 4,
): Promise<Neighbours & { readonly overtaken: number }> {
  using workshop = new Workshop()
  const samples = Object.values(greedy).map((build) => build(workshop, 64))
  await using service = await startUnpack({ emulateMs: 1_500, concurrency: 1 })
  let isFlooding = false
  let ended = 0
  const flood = async (sample: Buffer, index: number): Promise<void> => {
    for (let more = index + 1; isFlooding; more += samples.length) {
      const { status } = await service.post('/unpack', Buffer.concat([sample, Buffer.alloc(more)]), [], {
        from: hostileAddress,
      })
      ended++
      if (status !== 400 && status !== 429) throw new Error(`A hostile sample got ${status}.`)
    }
  }
  const probeMs = async () => {
    const startedAt = performance.now()
    const { status } = await service.post('/apply-yara-rules', Buffer.from('no program at all'), [['rules', rule]])
    if (status !== 200) throw new Error(`The neighbour got ${status}.`)
    return performance.now() - startedAt
  }
  const latencies = { quiet: [] as number[], flooded: [] as number[] }
  let overtaken = 0
  for (let warm = 0; warm < 10; warm++) await probeMs()
  for (let round = 0; round < rounds; round++)
    for (const name of ['quiet', 'flooded'] as const) {
      isFlooding = name === 'flooded'
      const floods = isFlooding ? samples.map(flood) : []
      for (let probe = 0; probe < probes / rounds; probe++) {
        const before = ended
        latencies[name].push(await probeMs())
        if (ended > before) overtaken++
      }
      isFlooding = false
      await Promise.all(floods)
    }
  return {
    quiet: latencyIn(latencies.quiet),
    flooded: latencyIn(latencies.flooded),
    overtaken: overtaken / latencies.flooded.length,
  }
}
