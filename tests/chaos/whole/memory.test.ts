import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openWorkingCell, reason } from './world.ts'

const minutes = Number(process.env.MEMORY_MINUTES ?? 60)
const sampleMs = 60_000

/** The growth of a series in units per sample, by least squares. */
function slopeOf(series: readonly number[]): number {
  const middle = (series.length - 1) / 2
  const mean = series.reduce((sum, value) => sum + value, 0) / series.length
  const covariance = series.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0)
  const variance = series.reduce((sum, _, index) => sum + (index - middle) ** 2, 0)
  return covariance / variance
}

test.skipIf(reason !== undefined)(
  `no node's heap grows in ${minutes} minutes of mixed requests to all services${reason ? ` (not now: ${reason})` : ''}`,
  { timeout: (minutes + 15) * 60_000 },
  async () => {
    await using world = await openWorkingCell()
    const { nodes } = world.cell
    const heaps = nodes.map((): number[] => [])
    for (let minute = 0; minute < minutes; minute++) {
      await sleep(sampleMs)
      for (const [index, node] of nodes.entries()) heaps[index]?.push((await node.heapBytes()) / 2 ** 20)
    }
    await world.rest()
    const requests = world.services.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
    console.log(`${requests} units of work; MiB of heap after collection, each minute:`)
    for (const [index, heap] of heaps.entries())
      console.log(`${nodes[index]?.name}: ${heap.map((mib) => mib.toFixed(0)).join(' ')}`)
    // Caches fill in the first third.
    const settled = heaps.map((heap) => heap.slice(Math.floor(heap.length / 3)))
    for (const [index, heap] of settled.entries()) {
      const growth = (slopeOf(heap) * heap.length) / (heap[0] ?? 1)
      expect(growth, `${nodes[index]?.name} grew by ${(growth * 100).toFixed(0)} %`).toBeLessThan(0.1)
    }
  },
)
