import type { BlobStore } from '@icosa/blobs'
import { sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { mebibyte, transfer } from './transfer.ts'

const size = sized(96, 2_048) * mebibyte
const maxGrowth = 64 * mebibyte

/** Tests that a large file streams through an operation into a store and back. */
export function testLarge(name: string, store: () => BlobStore): void {
  test(`${size / mebibyte} MiB stream to ${name} and back intact, in little memory`, { timeout: 600_000 }, async () => {
    const { digest, download, ...measured } = await transfer(store(), size)
    expect(download).toEqual({ received: size, digest, status: 200 })
    const [growth, sinceBoot, idle] = [measured.growthBytes, measured.growthSinceBootBytes, measured.idleBytes].map(
      (bytes) => Math.round(bytes / mebibyte),
    )
    console.log(
      `${name}: ${size / mebibyte} MiB up in ${measured.upSeconds.toFixed(1)} s, down in ${measured.downSeconds.toFixed(1)} s; ` +
        `memory grew by ${growth} MiB, since it was idle at ${idle} MiB by ${sinceBoot} MiB`,
    )
    expect(measured.growthBytes).toBeLessThan(maxGrowth)
  })
}
