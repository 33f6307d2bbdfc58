/** What a tenant waits for its own work while another one floods the same service, against what it waits alone. */
import type { Neighbours } from '@icosa/testing'
import { evaluationNeighbours } from '../../services/event-detection/src/testing/neighbours.ts'
import { schedulerNeighbours } from '../../services/job-scheduler/src/testing/neighbours.ts'
import { crawlNeighbours } from '../../services/podcast-directory/src/testing/neighbours.ts'
import { unpackNeighbours } from '../../services/unpack-analysis/src/testing/neighbours.ts'
import { callNeighbours } from '../../services/voice-messaging/src/testing/neighbours.ts'

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
    flood: '1,000 requests that hang',
    measured: 'run by hand to request',
    run: () => schedulerNeighbours(1_000, probes),
  },
  {
    name: 'podcast-directory',
    flood: '1,000 feeds imported',
    measured: 'submitted to listed',
    run: () => crawlNeighbours(1_000, probes, 1_000),
  },
  {
    name: 'event-detection',
    flood: '1,000,000 messages wait',
    measured: "message to detector's state",
    run: () => evaluationNeighbours(1_000_000, probes),
  },
  {
    name: 'voice-messaging',
    flood: '1,000 calls that ring',
    measured: 'message to call',
    run: () => callNeighbours(1_000, probes),
  },
  {
    name: 'unpack-analysis',
    flood: '3 programs that never end',
    measured: 'rules for a file to matches',
    run: () => unpackNeighbours(probes),
  },
]

console.log(`\none tenant floods; what another one waits, ${probes} times one after the other, in milliseconds\n`)
console.log(
  'service            flood                     measured                     quiet p50/p99  flooded p50/p99  ratio',
)
let worst = 0
for (const { name, flood, measured, run } of parts) {
  if (requested.length > 0 && !requested.includes(name)) continue
  const { quiet, flooded } = await run()
  const ratio = flooded.p99 / quiet.p99
  worst = Math.max(worst, ratio)
  const pair = ({ p50, p99 }: Neighbours['quiet']) => `${p50.toFixed(0)}/${p99.toFixed(0)}`
  console.log(
    [
      name.padEnd(17),
      flood.padEnd(24),
      measured.padEnd(27),
      pair(quiet).padStart(13),
      pair(flooded).padStart(15),
      ratio.toFixed(1).padStart(5),
    ].join('  '),
  )
}
console.log(`\nworst ratio of p99 ${worst.toFixed(1)}, goal ${goal}`)
process.exit(worst < goal ? 0 : 1) // a line to a trunk stays open for as long as its process lives
