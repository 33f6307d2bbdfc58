/** Latency of a tenant's work while another tenant floods the same service, compared with its latency alone. */
import type { Neighbours } from '@icosa/testing'
import { evaluationNeighbours } from '../../services/event-detection/src/testing/neighbours.ts'
import { schedulerNeighbours } from '../../services/job-scheduler/src/testing/neighbours.ts'
import { crawlNeighbours } from '../../services/podcast-directory/src/testing/neighbours.ts'
import { unpackNeighbours } from '../../services/unpack-analysis/src/testing/neighbours.ts'
import { callNeighbours } from '../../services/voice-messaging/src/testing/neighbours.ts'
import { type Figure, latencies, record } from '../figures.ts'

const goal = 3
const probes = Number(process.env.BENCH_PROBES ?? 200)
const requested = process.argv.slice(2)

interface Part {
  readonly name: string
  readonly flood: string
  readonly measured: string
  readonly run: () => Promise<Neighbours>
}

const parts: readonly Part[] = [
  {
    name: 'job-scheduler',
    flood: '1,000 hanging requests',
    measured: 'manual run to request',
    run: () => schedulerNeighbours(1_000, probes),
  },
  {
    name: 'podcast-directory',
    flood: '1,000 imported feeds',
    measured: 'submitted to listed',
    run: () => crawlNeighbours(1_000, probes, 1_000),
  },
  {
    name: 'event-detection',
    flood: '1,000,000 waiting messages',
    measured: "message to detector's state",
    run: () => evaluationNeighbours(1_000_000, probes),
  },
  {
    name: 'voice-messaging',
    flood: '1,000 ringing calls',
    measured: 'message to call',
    run: () => callNeighbours(1_000, probes),
  },
  {
    name: 'unpack-analysis',
    flood: '3 endless programs',
    measured: 'rules for a file to matches',
    run: () => unpackNeighbours(probes),
  },
]

const figures: Figure[] = []
for (const { name, flood, measured, run } of parts) {
  if (requested.length > 0 && !requested.includes(name)) continue
  const { quiet, flooded } = await run()
  const [value, comparedWith] = [flooded.p99 / quiet.p99, 'p99 without the flood']
  figures.push(
    { name: `${name}, beside ${flood}`, value, unit: '×', comparedWith, goal: { atMost: goal } },
    ...latencies(`${name}, ${measured}, flooded`, flooded),
    ...latencies(`${name}, ${measured}, quiet`, quiet),
  )
}
record(figures)
process.exit() // a line to a trunk stays open until its process exits
