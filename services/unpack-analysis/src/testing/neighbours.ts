import { latencyIn, type Neighbours } from '@icosa/testing'
import { startUnpack } from './app.ts'
import { Workshop } from './build.ts'
import { greedy } from './hostile-programs.ts'

const hostileAddress = '127.0.0.2'
const rule = 'rule text { strings: $a = "program" condition: $a }'

/**
 * What the sender of small files waits for rules to be applied, alone and while another sends programs that never end. Rounds
 * of both take turns, so that whatever else the machine does slows both alike. `overtaken` is the share of requests during which
 * a hostile sample came to its end.
 */
export async function unpackNeighbours(
  probes: number,
  rounds = 4,
): Promise<Neighbours & { readonly overtaken: number }> {
  using workshop = new Workshop()
  const samples = Object.values(greedy).map((build) => build(workshop, 64))
  await using service = await startUnpack({ emulateMs: 1_500, atOnce: 1 })
  let isFlooding = false
  let ended = 0
  const flood = async (sample: Buffer, index: number): Promise<void> => {
    for (let more = index + 1; isFlooding; more += samples.length) {
      const { status } = await service.post('/unpack', Buffer.concat([sample, Buffer.alloc(more)]), [], {
        from: hostileAddress,
      })
      ended++
      if (status !== 400 && status !== 429) throw new Error(`A hostile sample was answered ${status}.`)
    }
  }
  const once = async () => {
    const began = performance.now()
    const { status } = await service.post('/apply-yara-rules', Buffer.from('no program at all'), [['rules', rule]])
    if (status !== 200) throw new Error(`The neighbour was answered ${status}.`)
    return performance.now() - began
  }
  const took = { quiet: [] as number[], flooded: [] as number[] }
  let overtaken = 0
  for (let warm = 0; warm < 10; warm++) await once()
  for (let round = 0; round < rounds; round++)
    for (const name of ['quiet', 'flooded'] as const) {
      isFlooding = name === 'flooded'
      const floods = isFlooding ? samples.map(flood) : []
      for (let probe = 0; probe < probes / rounds; probe++) {
        const before = ended
        took[name].push(await once())
        if (ended > before) overtaken++
      }
      isFlooding = false
      await Promise.all(floods)
    }
  return { quiet: latencyIn(took.quiet), flooded: latencyIn(took.flooded), overtaken: overtaken / took.flooded.length }
}
